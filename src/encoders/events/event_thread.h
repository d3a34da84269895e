// Data of a thread whose events are kept, reached from its header (ThreadHeader::events).
//
// Never freed, because any holder of the header's address may read it. The next thread with the header reuses it.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "base/ids.h"
#include "encoders/events/event_blocks.h"
#include "shadowstack/thread_header.h"

namespace copse::events {

struct EventThread {
  // Guarded by the mutex of EventThreads, except for the constant header.
  shadowstack::ThreadHeader* header = nullptr;
  bool is_live = false;

  // Table of exact allocations (encoders/ids/allocation_counts.h).
  struct Allocations {
    std::mutex mutex;  // guards the fields after it
    bool is_open = false;
    void* table = nullptr;
    std::uint32_t log = 0;  // log2 of the number of its entries
    std::uint64_t misses = 0;
  } allocations;

  // Taken before the log's own mutex.
  std::mutex mutex;  // guards the fields after it
  ThreadIndex index{};
  std::int64_t runtime_id = 0;
  std::string name;
  bool is_in_file = false;           // the file has the thread under this name
  std::vector<LoggedEvent> waiting;  // for a block of their own
};

// Returns nullptr for a thread whose events are not kept by thread.
inline EventThread* event_thread_of(const shadowstack::ThreadHeader* header) noexcept {
  return header == nullptr ? nullptr : reinterpret_cast<EventThread*>(header->events);
}

}  // namespace copse::events
