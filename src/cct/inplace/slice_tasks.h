// Tasks that slices hand over to other threads. The calls of such a task belong to its slice: they are counted in the
// tree of the thread that runs it, as a slice is (inline_slices.h), and added to the slice when the task ends.
//
// A slice that hands tasks over is therefore held when it ends, until kMostHeldSlices others are, or their contexts are
// too many. It is then added to the sums and may be kept. Tasks that end later are counted as late.
//
// Thread-safe: one mutex.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "base/call_record.h"
#include "cct/context_tree.h"
#include "cct/inplace/slices.h"

namespace copse::cct {

inline constexpr std::size_t kMostHeldSlices = std::size_t{1} << 14;
inline constexpr std::uint64_t kMostHeldContexts = std::uint64_t{1} << 20;

class SliceTasks {
 public:
  explicit SliceTasks(Slices& slices) : slices_(slices) {}

  // Stands for a slice in the functions below. Throws std::bad_alloc.
  std::uint64_t add_slice();
  // Notes that the slice hands a task over in the context with this path, and returns a number for the task; 0 without
  // memory.
  std::uint64_t hand_over(std::uint64_t slice, const std::vector<ContextKey>& at) noexcept;
  // Returns the slice of a task.
  static std::uint64_t slice_of(std::uint64_t task) noexcept { return task >> kPlaceBits; }
  // Called when a thread begins to run a task. Returns false if its slice is gone; end() is then not called.
  bool begin(std::uint64_t task) noexcept;
  // Adds a task, or a part of one, that has ended. `facts`: its processor time, calls and amounts. `base`: path from ROOT
  // to the first of `nodes`. `is_whole`: nothing kept it from being followed.
  void end(std::uint64_t task, const SliceFacts& facts, const std::vector<ContextKey>& base,
           const std::vector<ContextNode>& nodes, bool is_whole) noexcept;
  // Takes a slice that has ended.
  void end_slice(std::uint64_t slice, Slice&& ended) noexcept;
  // Forgets a slice that cannot be followed: its tasks are in none.
  void drop_slice(std::uint64_t slice) noexcept;
  // Forgets all slices so far.
  void clear() noexcept;

  // Adds the slices that are held to a copy of the sums, and the numbers of tasks to `so_far`. Throws std::bad_alloc.
  void add_held_to(Slices& copy) const;
  void count_in(SlicesSoFar& so_far) const noexcept;

 private:
  static constexpr unsigned kPlaceBits = 8;
  static constexpr std::size_t kMostPlaces = (std::size_t{1} << kPlaceBits) - 1;

  struct Held {
    Slice slice;  // once it has ended; `handed_over` from its beginning
    std::vector<TaskTree> tasks;
    std::uint64_t contexts = 0;
    std::uint64_t running = 0;
    std::uint64_t cpu_ns = 0, calls = 0;  // of tasks
    SliceAmounts amounts{};
    bool has_ended = false;
    bool is_whole = true;
    bool has_clock = true;  // the processor time of all tasks is known
  };

  static void add(const Held& held, Slices& slices) noexcept;
  void make_room() noexcept;

  Slices& slices_;
  mutable std::mutex mutex_;  // guards the members below
  std::uint64_t last_ = 0;
  std::uint64_t first_ = 1;  // slices before were forgotten by clear()
  std::uint64_t contexts_ = 0;
  std::uint64_t late_ = 0;
  std::map<std::uint64_t, Held> held_;
};

}  // namespace copse::cct
