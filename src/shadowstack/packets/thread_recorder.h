// What an agent tells its recorder of the program's threads, and what it asks at the end. Two kinds
// record: Recorder takes packets of call records, InlineTrees (src/cct) lets the probes build
// trees.
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

  // Never null: without memory the thread gets a header that it may share with others and whose
  // calls are lost. Called by: the thread itself, before its first recorded call.
  virtual ThreadHeader* attach(std::int64_t runtime_thread_id, std::string_view name) noexcept = 0;
  virtual void rename(ThreadHeader* header, std::string_view name) noexcept = 0;
  // The thread makes no call until somebody wakes it, and may be one of very many: gives back what
  // it can do without. Called by: anybody, while the thread cannot run.
  virtual void park(ThreadHeader*) noexcept {}
  // The thread has ended; the header will be another thread's.
  virtual void detach(ThreadHeader* header) noexcept = 0;

  // End of recording, of the threads that live on too: what they call from now on is not part of
  // the run and is not counted.
  virtual void close() noexcept = 0;

  // Exact after close().
  virtual std::uint64_t calls_seen() const noexcept = 0;
  // Of these, before they came to a tree.
  virtual std::uint64_t calls_lost() const noexcept = 0;
  virtual std::uint64_t packets() const noexcept = 0;
  // Threads that made a call (thread_rows.h).
  virtual std::vector<ThreadRow> threads() const = 0;
};

}  // namespace copse::shadowstack
