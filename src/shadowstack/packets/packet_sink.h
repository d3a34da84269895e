// Receiver of full packets. The recorder does not know who folds them: the worker pool (src/cct) is
// the sink of a profiling run, tests use simpler ones.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/ids.h"
#include "shadowstack/packet.h"

namespace copse::shadowstack {

class PacketSink {
 public:
  virtual ~PacketSink() = default;

  // Takes over a packet. Never blocks for long: when the packet pool is short, the caller is asked
  // to help() instead. Thread-safe. Called by: any producer thread.
  virtual void submit(Packet* packet) noexcept = 0;

  // Folds one or a few queued packets on the calling thread and returns their memory to the pool.
  // Returns false when the queue was empty.
  virtual bool help() noexcept = 0;

  // Report a thread's life, for sinks that record it. Submitted packets of the thread lie between
  // its start and its end. Called by: the recorder, under its locks. REQUIRES: the sink does not
  // call back.
  virtual void thread_started(ThreadIndex, std::int64_t /*runtime_id*/,
                              std::string_view /*name*/) noexcept {}
  virtual void thread_renamed(ThreadIndex, std::int64_t /*runtime_id*/,
                              std::string_view /*name*/) noexcept {}
  virtual void thread_ended(ThreadIndex) noexcept {}
};

}  // namespace copse::shadowstack
