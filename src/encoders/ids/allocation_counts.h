// Counts every allocation: a table per thread in which probes count by context (agent/jvm/runtime/id's
// CopseAllocations), emptied from time to time.
//
//   header    field `allocations`: the table's address, a multiple of 64, plus log2 of its entries;
//             0: none yet
//   entry     64 bytes, at the index that the upper bits of word * kAllocationMultiplier give:
//
//   offset size field
//        0    8 word    of the allocating frame and site, or another key for them; 0: free
//        8    8 count   of allocations; only the table's thread adds, see below
//       16    8 bytes
//       24    8 taken   part of the count that was already taken out
//       32    8 taken_bytes
//
// An allocation whose word is not in its entry goes to add(), which makes room. A table in which that happens often is
// replaced by a larger one.
//
// Thread-safe. Probes of a table's own thread count without a lock; entries change hands under the table's mutex, taken
// before the locks of events. At the end of recording, a running thread may be between the two additions of an
// allocation: then its bytes are lost, or counted without the allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "encoders/events/event_thread.h"
#include "encoders/ids/context_ids.h"
#include "shadowstack/thread_header.h"

namespace copse::ids {

inline constexpr std::uint64_t kAllocationMultiplier = 0x9E37'79B9'7F4A'7C15;

struct AllocationEntry {
  std::uint64_t word;
  std::uint64_t count;
  std::uint64_t bytes;
  std::uint64_t taken;
  std::uint64_t taken_bytes;
  std::uint64_t unused[3];
};
static_assert(sizeof(AllocationEntry) == 64 && std::is_trivially_copyable_v<AllocationEntry>);
static_assert(offsetof(AllocationEntry, count) == 8 && offsetof(AllocationEntry, bytes) == 16);

// Counts taken out of a thread's table, for one word.
struct CountedAllocations {
  std::uint64_t word;
  std::uint64_t count;
  std::uint64_t bytes;
};

class AllocationCounts {
 public:
  // Takes counts, as events where ids are kept. Called under the thread's lock.
  using Take = std::function<void(shadowstack::ThreadHeader&, const CountedAllocations&)>;
  explicit AllocationCounts(Take take) : take_(std::move(take)) {}
  explicit AllocationCounts(ContextIds& ids);

  // Slow path of the probes: counts an allocation with a word. Called by: the header's thread. Cost: some 100 ns.
  void add(shadowstack::ThreadHeader& header, std::uint64_t word, std::uint64_t bytes) noexcept;
  // Takes out the counts since the last call.
  void collect(events::EventThread& thread) noexcept;
  // Handles the end of the thread: takes out the counts and releases the table.
  void end(events::EventThread& thread) noexcept;

 private:
  bool make_room(events::EventThread& thread) noexcept;
  void take(events::EventThread& thread, AllocationEntry& entry) noexcept;
  void take_all(events::EventThread& thread) noexcept;
  static void release(events::EventThread& thread) noexcept;

  const Take take_;
};

}  // namespace copse::ids
