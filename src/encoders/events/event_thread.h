// What a thread whose events are kept has beside its header, which leads here
// (ThreadHeader::events).
//
// Never freed, since whoever has a header's address may look here: the next thread with the header
// takes it over.
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
  // Under the mutex of EventThreads, but for the header, which is constant.
  shadowstack::ThreadHeader* header = nullptr;
  bool is_live = false;

  // Of exact allocations (encoders/ids/allocation_counts.h).
  struct Allocations {
    std::mutex mutex;  // of all below
    bool is_open = false;
    void* table = nullptr;
    std::uint32_t log = 0;  // of its entries' number
    std::uint64_t misses = 0;
  } allocations;

  // Taken before the log's own.
  std::mutex mutex;  // of all below
  ThreadIndex index{};
  std::int64_t runtime_id = 0;
  std::string name;
  bool is_in_file = false;           // under this name
  std::vector<LoggedEvent> waiting;  // for a block of their own
};

// Null for a thread whose events are not kept by thread.
inline EventThread* event_thread_of(const shadowstack::ThreadHeader* header) noexcept {
  return header == nullptr ? nullptr : reinterpret_cast<EventThread*>(header->events);
}

}  // namespace copse::events
