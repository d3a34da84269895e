// Interface of an agent to its recorder: events of the program's threads, and totals at the end.
// Two classes implement it: Recorder takes packets of call records, InlineTrees (src/cct) lets the
// probes build trees.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "shadowstack/thread_header.h"
#include "shadowstack/thread_rows.h"

namespace copse::shadowstack {

class ThreadRecorder {
 public:
  virtual ~ThreadRecorder() = default;

  // Returns the thread's header, never nullptr. Without memory the header may be shared with other
  // threads and its calls are lost. Called by: the thread itself, before its first recorded call.
  virtual ThreadHeader* attach(std::int64_t runtime_thread_id, std::string_view name) noexcept = 0;
  virtual void rename(ThreadHeader* header, std::string_view name) noexcept = 0;
  // Gives back memory that a waiting thread can do without; there may be very many such threads.
  // REQUIRES: the thread cannot run meanwhile. Called by: any thread.
  virtual void park(ThreadHeader*) noexcept {}
  // Ends the thread; another thread may get its header.
  virtual void detach(ThreadHeader* header) noexcept = 0;

  // Ends recording for all threads, live ones too. Later calls are neither part of the run nor
  // counted.
  virtual void close() noexcept = 0;

  // Number of calls, lost ones included; exact after close().
  virtual std::uint64_t calls_seen() const noexcept = 0;
  // Number of calls lost before they reached a tree.
  virtual std::uint64_t calls_lost() const noexcept = 0;
  virtual std::uint64_t packets() const noexcept = 0;
  // Returns the threads that made a call (thread_rows.h).
  virtual std::vector<ThreadRow> threads() const = 0;
};

}  // namespace copse::shadowstack
