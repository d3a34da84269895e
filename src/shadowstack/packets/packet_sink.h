// Where full packets go. The recorder hands packets to a sink without knowing who folds them; the
// worker pool (src/cct) is the sink of a profiling run, tests use simpler ones.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/ids.h"
#include "shadowstack/packets/packet.h"

namespace copse::shadowstack {

class PacketSink {
 public:
  virtual ~PacketSink() = default;

  // Takes over a packet. Called by: any producer thread, at once. Never blocks for long: when the
  // packet pool is short the caller will be asked to help() instead.
  virtual void submit(Packet* packet) noexcept = 0;

  // Folds a queued packet or a few on the calling thread and returns their memory to the pool.
  // False when nothing was queued.
  virtual bool help() noexcept = 0;

  // A thread's life, for sinks that keep it: submitted packets of the thread lie between its start
  // and its end. Called by: the recorder, under its locks, so a sink must not call back.
  virtual void thread_started(ThreadIndex, std::int64_t /*runtime_id*/,
                              std::string_view /*name*/) noexcept {}
  virtual void thread_renamed(ThreadIndex, std::int64_t /*runtime_id*/,
                              std::string_view /*name*/) noexcept {}
  virtual void thread_ended(ThreadIndex) noexcept {}
};

}  // namespace copse::shadowstack
