// Where full packets go. The recorder hands packets to a sink without knowing who folds them; the
// worker pool (src/cct) is the sink of a profiling run, tests use simpler ones.
#pragma once

#include "shadowstack/packet.h"

namespace copse {

class PacketSink {
 public:
  virtual ~PacketSink() = default;

  // Takes over a packet. Called by: any producer thread, at once. Never blocks for long: when the
  // packet pool is short the caller will be asked to help() instead.
  virtual void submit(Packet* packet) noexcept = 0;

  // Folds a queued packet or a few on the calling thread and returns their memory to the pool.
  // False when nothing was queued.
  virtual bool help() noexcept = 0;
};

}  // namespace copse
