// Every allocation counted: a table per thread in which probes count by context
// (agent/jvm/runtime/id's CopseAllocations), emptied from time to time.
//
//   header    field `allocations`: the table's address, a multiple of 64, plus log2 of its entries;
//             0: none yet
//   entry     64 bytes, at the index that the upper bits of word * kAllocationMultiplier give:
//
//   offset size field
//        0    8 word    of the allocating frame and site, or another key of theirs; 0: free
//        8    8 count   of them; their thread alone adds, as below
//       16    8 bytes
//       24    8 taken   of the count, that were taken out already
//       32    8 taken_bytes
//
// An allocation whose word is not in its entry comes to add(), which makes room; a table in which
// that happens often becomes a larger one.
//
// Threads: any. Probes of a table's own thread count without a lock; entries change hands under the
// table's mutex, taken before the locks of events. At the end of recording a thread that runs on
// may be between the two additions of an allocation: its bytes are lost, or count without it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "encoders/events/event_thread.h"
#include "encoders/ids/context_ids.h"
#include "shadowstack/thread_header.h"

namespace copse::context_id {

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

// What was taken out of a thread's table, of one word.
struct CountedAllocations {
  std::uint64_t word;
  std::uint64_t count;
  std::uint64_t bytes;
};

class AllocationCounts {
 public:
  // `take`: under the thread's lock. As events where ids are kept.
  using Take = std::function<void(shadowstack::ThreadHeader&, const CountedAllocations&)>;
  explicit AllocationCounts(Take take) : take_(std::move(take)) {}
  explicit AllocationCounts(ContextIds& ids);

  // The probes' slow path: an allocation where a word stands. Called by: the header's thread. Cost:
  // some 100 ns.
  void add(shadowstack::ThreadHeader& header, std::uint64_t word, std::uint64_t bytes) noexcept;
  // What was counted since the last time is taken out.
  void collect(events::EventThread& thread) noexcept;
  // The same, and the table is given back: the thread has ended.
  void end(events::EventThread& thread) noexcept;

 private:
  bool make_room(events::EventThread& thread) noexcept;
  void take(events::EventThread& thread, AllocationEntry& entry) noexcept;
  void take_all(events::EventThread& thread) noexcept;
  static void release(events::EventThread& thread) noexcept;

  const Take take_;
};

}  // namespace copse::context_id
