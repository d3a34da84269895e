// What an agent tells its recorder of the program's threads, and what it asks at the end. Two kinds
// record: Recorder takes packets of call records, InlineTrees (src/cct) lets the probes build
// trees.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_record.h"
#include "base/ids.h"
#include "shadowstack/thread_header.h"

namespace copse {

class ThreadRecorder {
 public:
  struct ThreadRow {
    ThreadIndex index{};
    std::int64_t runtime_id = 0;
    std::string name;
    ContextKey first_key = 0;  // of its first call without a recorded caller; 0: none
    std::uint64_t calls = 0;   // that it made, lost ones included
  };

  virtual ~ThreadRecorder() = default;

  // Never null: without memory the thread gets a header that it may share with others and whose
  // calls are lost. Called by: the thread itself, before its first recorded call.
  virtual ThreadHeader* attach(std::int64_t runtime_thread_id, std::string_view name) noexcept = 0;
  virtual void rename(ThreadHeader* header, std::string_view name) noexcept = 0;
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
  // Threads that made a call, in order of attach().
  virtual std::vector<ThreadRow> threads() const = 0;
};

}  // namespace copse
