// Slices of a recording with trees in place (slices.h), as their threads begin and end them. A slice's calls are counted
// in the ordinary nodes below the frame that began it. At its end a pass over these nodes compares their counts with
// those that the last pass saw. Only nodes that were called are passed, since no other has new calls below it. The sums
// of the recording therefore do not know of slices.
//
// A slice that the program begins in mid-frame (copse.Context) has the calls below that frame from then on. The calls
// until then are seen by a pass at its beginning.
//
// A task that a slice hands over is followed in the same way in the thread that runs it (slice_tasks.h), from the slot
// where it begins. A slice that begins in a task is one of its own, and ends the part of the task that is followed.
//
// A slice is left open where the code at a frame's end could not run: the stack had overflowed; or where the program does
// not close it, or in another frame. It ends when the thread begins a slice elsewhere, and counts as one that was followed
// in part.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cct/cct.h"
#include "cct/inplace/inline_region.h"
#include "cct/inplace/inline_thread.h"
#include "cct/inplace/inline_threads.h"
#include "cct/inplace/laid_slices.h"
#include "cct/inplace/slice_tasks.h"
#include "cct/inplace/slices.h"
#include "cct/measured_contexts.h"

namespace copse::cct {

class InlineSlices {
 public:
  // `begun`: in memory that outlives the process; gets the number of slices that have begun.
  InlineSlices(std::uint32_t keep, InlineRegion& region, InlineThreads& threads,
               std::uint64_t& begun)
      : slices_(keep), tasks_(slices_), region_(region), threads_(threads), begun_(begun) {}

  // Called by, like end(): the thread, without a lock. `frame`: address of the first slot of the frame's node.
  // `has_clock`: the thread's processor time is its own, as that of a virtual thread is not.
  // Returns whether a slice begins.
  bool begin(InlineThread& thread, std::uint64_t frame, bool has_clock) noexcept;
  // Sets the span in which the thread's open slice began.
  static void set_span(InlineThread& thread, const SpanIds& span) noexcept;
  // Ends the slice that began with this frame; does nothing for a frame that began none. `is_whole`: nothing kept the
  // slice from being followed.
  void end(InlineThread& thread, std::uint64_t frame, bool is_whole) noexcept;
  // Begins a slice in mid-frame, at the slot of the thread's next callee, and returns its number; 0 if none begins.
  // `method`: stands for its name. Called by, like end_here(): the thread, without a lock.
  std::uint64_t begin_here(InlineThread& thread, std::uint64_t slot, MethodId method,
                           bool has_clock) noexcept;
  void end_here(InlineThread& thread, std::uint64_t slot, std::uint64_t id, bool is_whole) noexcept;
  // Returns a number for a task that the thread hands over in its open slice, or in a task of one; 0 if it is in none.
  // `slot`: that of the thread's next callee. `before`: number of the task if it was handed over before, else 0; in the
  // same slice it stays. Called by, like the next two: the thread, without a lock.
  std::uint64_t hand_over(InlineThread& thread, std::uint64_t slot, std::uint64_t before) noexcept;
  // Begins and ends the run of a task. One inside another one, or in a slice, is part of that. `task`: 0 if it was handed
  // over in no slice. `is_thread`: it lasts as long as the thread. `ends_all`: no task runs but such a one.
  void begin_task(InlineThread& thread, std::uint64_t slot, std::uint64_t task, bool has_clock,
                  bool is_thread) noexcept;
  void end_task(InlineThread& thread, std::uint64_t slot, bool ends_all, bool is_whole) noexcept;
  // Sets the measures that slices have. REQUIRES: no thread has started. Throws std::bad_alloc.
  void measure(std::span<const MeasureName> columns);
  // Adds to the thread's open slice, if the slot is one of a frame in it. REQUIRES: the caller holds the thread's mutex.
  void add(InlineThread& thread, std::uint64_t slot,
           std::span<const ColumnAmount> amounts) noexcept;
  // Adds time until now that was seen in a sample, but none from before the slice began. REQUIRES the same.
  void add_time(InlineThread& thread, std::uint64_t slot, std::size_t column,
                std::uint64_t ns) noexcept;
  // Return whether the thread has an open slice; and one that end() would end. Called by: the thread, without a lock.
  static bool is_open(InlineThread& thread) noexcept;
  static bool ends(InlineThread& thread, std::uint64_t frame) noexcept;
  // Counts a slice that cannot be followed.
  void add_in_part() noexcept { slices_.add_in_part(); }

  // The next functions REQUIRE: the caller holds the thread's mutex.

  // Ends the task that the thread runs, if there is one: the thread ends.
  void end_thread(InlineThread& thread) noexcept;
  // Returns whether the thread has an open slice, not a task.
  static bool has_open_slice(const InlineThread& thread) noexcept {
    return thread.tree.sliced() != nullptr && thread.slice.task == 0;
  }
  // Ends the thread's open slice, whose frame has gone.
  void give_up(InlineThread& thread) noexcept;
  // Called when the thread begins or ends an excerpt: a slice around it misses calls, and one inside it is over.
  void meets_excerpt(InlineThread& thread) noexcept;
  // Takes the counts of the open slice, before they move to the master.
  void keep_counts(InlineThread& thread) noexcept;
  // Gives the open slice up unless it can be followed in the tree that shrank. `slot`: that of the next callee.
  void shrank(InlineThread& thread, std::uint64_t slot) noexcept;

  // Returns whether there was a slice.
  bool any() const noexcept { return slices_.any(); }
  // Forgets all slices so far, because the recording begins now. REQUIRES: the caller holds InlineThreads::mutex.
  void begin_recording() noexcept;
  // Forgets all slices, because the recording has ended. REQUIRES: all threads are closed.
  void forget() noexcept;
  // Returns the slices so far. `open`: their number. Throws std::bad_alloc.
  SlicesSoFar so_far(std::uint64_t open) const;

 private:
  bool is_in_slice(InlineThread& thread, std::uint64_t slot, bool is_mid_frame) noexcept;
  bool begins(InlineThread& thread) noexcept;
  static void start_clocks(InlineThread& thread, bool has_clock) noexcept;
  void finish(InlineThread& thread, std::uint64_t slot, std::uint64_t ended_ns,
              bool is_whole) noexcept;
  bool sums_up(InlineThread& thread, bool is_whole) noexcept;
  static void end_open(InlineThread& thread) noexcept;
  void drop_slice(InlineThread& thread) noexcept;
  void finish_task(InlineThread& thread, bool is_whole) noexcept;
  void leave_task(InlineThread& thread, std::uint64_t slot, std::uint32_t entered) noexcept;
  static bool take(InlineThread& thread, std::vector<ContextNode>& nodes);

  Slices slices_;
  SliceTasks tasks_;
  std::vector<SliceMeasure> measures_;
  std::vector<std::size_t>
      measure_of_;  // by column: its place in `measures_`; kMostSliceMeasures means none
  InlineRegion& region_;
  InlineThreads& threads_;
  std::uint64_t& begun_;
  std::uint64_t began_ns_ = 0;  // the recording
};

}  // namespace copse::cct
