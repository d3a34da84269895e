#include "cct/inplace/inline_slices.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "base/make_room.h"

namespace copse::cct {
namespace {

// A thread keeps the memory of its last slice's contexts, unless there were more.
constexpr std::size_t kMostKeptRoom = std::size_t{1} << 16;

std::uint64_t now(clockid_t clock) noexcept {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

// Returns whether the thread is in a slice. If it has left the frame of the open one, that slice is given up.
bool InlineSlices::is_in_slice(InlineThread& thread, std::uint64_t slot,
                               bool is_mid_frame) noexcept {
  InlineTree* const tree = thread.tree.sliced();
  if (tree == nullptr) return false;
  InlineThread::OpenSlice& open = thread.slice;
  if (!tree->has(slot)) {  // a frame inside, without a node of its own
    open.is_whole = false;
    return true;
  }
  const bool is_over = open.is_in_code && (open.is_closed || tree->has_left_slice());
  if (is_mid_frame && tree->is_at_slice(slot) && !is_over) return true;
  if (tree->is_inside_slice(slot)) return true;
  give_up(thread);
  return false;
}

// Returns false if the slice cannot be followed.
bool InlineSlices::begins(InlineThread& thread) noexcept {
  InlineThread::OpenSlice& open = thread.slice;
  open.facts = {.id = slices_.next_id()};
  std::atomic_ref<std::uint64_t>(begun_).store(open.facts.id, std::memory_order_relaxed);
  open.parts.clear();
  open.is_whole = true;
  open.is_in_code = open.is_closed = false;
  open.task = open.handing_over = 0;
  return !thread.lost_track && !thread.misses_slices;
}

void InlineSlices::start_clocks(InlineThread& thread, bool has_clock) noexcept {
  InlineThread::OpenSlice& open = thread.slice;
  open.lost_before = thread.tree.sliced()->calls_lost();
  open.cpu_began_ns = has_clock ? now(CLOCK_THREAD_CPUTIME_ID) : 0;
  open.began_ns = now(CLOCK_MONOTONIC);
}

void InlineSlices::set_span(InlineThread& thread, const SpanIds& span) noexcept {
  const std::lock_guard lock(thread.mutex);
  if (thread.tree.sliced() != nullptr) thread.slice.facts.span = span;
}

bool InlineSlices::begin(InlineThread& thread, std::uint64_t frame, bool has_clock) noexcept {
  const std::lock_guard lock(thread.mutex);
  if (!thread.is_counting()) return false;
  leave_task(thread, frame, region_.node_with(frame));
  if (is_in_slice(thread, frame, false)) return false;
  if (!begins(thread) || !thread.tree.begin_slice(frame)) {
    slices_.add_in_part();
    return false;
  }
  thread.slice.facts.method = MethodId{region_.node(thread.tree.sliced()->slice()).method};
  start_clocks(thread, has_clock);
  return true;
}

std::uint64_t InlineSlices::begin_here(InlineThread& thread, std::uint64_t slot, MethodId method,
                                       bool has_clock) noexcept {
  const std::lock_guard lock(thread.mutex);
  if (!thread.is_counting()) return 0;
  leave_task(thread, slot, 0);
  if (is_in_slice(thread, slot, true)) return 0;
  InlineThread::OpenSlice& open = thread.slice;
  try {
    if (!begins(thread) || !thread.tree.begin_slice_below(slot, open.nodes)) {
      slices_.add_in_part();
      return 0;
    }
  } catch (const std::bad_alloc&) {
    slices_.add_in_part();
    return 0;
  }
  open.is_in_code = true;
  open.facts.method = method;
  start_clocks(thread, has_clock);
  return open.facts.id;
}

void InlineSlices::end(InlineThread& thread, std::uint64_t frame, bool is_whole) noexcept {
  const std::uint64_t ended_ns = now(CLOCK_MONOTONIC);
  const std::lock_guard lock(thread.mutex);
  const InlineTree* const tree = thread.tree.sliced();
  if (tree == nullptr || thread.closed || thread.slice.is_in_code || !tree->has(frame) ||
      !tree->is_at_slice(frame)) {
    return;
  }
  finish(thread, frame, ended_ns, is_whole);
}

// Where another frame closes the slice, frames below that of its beginning may go on. Their calls are to be seen first,
// so the slice ends later.
void InlineSlices::end_here(InlineThread& thread, std::uint64_t slot, std::uint64_t id,
                            bool is_whole) noexcept {
  const std::uint64_t ended_ns = now(CLOCK_MONOTONIC);
  const std::lock_guard lock(thread.mutex);
  InlineTree* const tree = thread.tree.sliced();
  InlineThread::OpenSlice& open = thread.slice;
  if (tree == nullptr || thread.closed || !open.is_in_code || open.facts.id != id) return;
  const bool has_slot = tree->has(slot);
  if (has_slot && tree->is_at_slice(slot) && !tree->has_left_slice()) {
    finish(thread, slot, ended_ns, is_whole);
    return;
  }
  open.is_closed = true;
  open.is_whole = false;
  if (has_slot && !tree->is_inside_slice(slot)) give_up(thread);
}

// `slot`: one of the slice's node.
void InlineSlices::finish(InlineThread& thread, std::uint64_t slot, std::uint64_t ended_ns,
                          bool is_whole) noexcept {
  InlineThread::OpenSlice& open = thread.slice;
  const auto complete = [&](Slice& slice) {
    slice.thread_id = threads_.rows().runtime_id(thread.index);
    slice.thread = threads_.rows().name(thread.index);
    const auto no_leaf = [](MethodId, SiteOrdinal, MethodId) { return false; };
    thread.tree.path_to(slot, no_leaf, slice.base);
  };
  bool is_followed = false;
  try {
    is_followed = sums_up(thread, is_whole);
    open.facts.start_ns = open.began_ns - began_ns_;
    open.facts.wall_ns = ended_ns - open.began_ns;
    if (is_followed && open.handing_over != 0) {
      Slice slice;
      static_cast<SliceFacts&>(slice) = open.facts;
      slice.nodes = open.nodes;
      complete(slice);
      tasks_.end_slice(open.handing_over, std::move(slice));
    } else if (is_followed) {
      slices_.add(open.facts, open.nodes, complete);
    }
  } catch (const std::bad_alloc&) {
    is_followed = false;
  }
  if (!is_followed) drop_slice(thread);
  end_open(thread);
}

// Sets the facts and contexts of the open slice, or of a task's part, which ends. Returns false if it was not followed.
bool InlineSlices::sums_up(InlineThread& thread, bool is_whole) noexcept {
  const InlineTree& tree = *thread.tree.sliced();
  InlineThread::OpenSlice& open = thread.slice;
  const bool has_clock = open.cpu_began_ns != 0;
  open.facts.cpu_ns = has_clock ? now(CLOCK_THREAD_CPUTIME_ID) - open.cpu_began_ns : 0;
  open.facts.calls = 0;
  try {
    const bool has_all = take(thread, open.nodes);
    for (const ContextNode& node : open.nodes) open.facts.calls += node.calls;
    return has_all && is_whole && open.is_whole && !thread.lost_track &&
           open.lost_before == tree.calls_lost();
  } catch (const std::bad_alloc&) {
    thread.misses_slices = true;  // some new calls may not have been seen
    return false;
  }
}

void InlineSlices::end_open(InlineThread& thread) noexcept {
  InlineThread::OpenSlice& open = thread.slice;
  if (open.nodes.capacity() > kMostKeptRoom) give_back(open.nodes);
  open.task = open.handing_over = 0;
  thread.tree.end_slice();
}

// Counts the open slice as one that was followed in part. A task's part makes its slice such a one.
void InlineSlices::drop_slice(InlineThread& thread) noexcept {
  InlineThread::OpenSlice& open = thread.slice;
  if (open.task != 0) {
    open.facts.calls = 0;
    tasks_.end(open.task, open.facts, open.base, open.nodes, false);
    return;
  }
  slices_.add_in_part();
  if (open.handing_over != 0) tasks_.drop_slice(open.handing_over);
}

std::uint64_t InlineSlices::hand_over(InlineThread& thread, std::uint64_t slot,
                                      std::uint64_t before) noexcept {
  const std::lock_guard lock(thread.mutex);
  if (!thread.is_counting() || !is_in_slice(thread, slot, true)) return 0;
  InlineThread::OpenSlice& open = thread.slice;
  std::uint64_t slice = open.task != 0 ? SliceTasks::slice_of(open.task) : open.handing_over;
  if (before != 0 && SliceTasks::slice_of(before) == slice) return before;
  try {
    std::vector<ContextKey> at;
    const auto no_leaf = [](MethodId, SiteOrdinal, MethodId) { return false; };
    thread.tree.path_to(slot, no_leaf, at);
    if (slice == 0) slice = open.handing_over = tasks_.add_slice();
    return tasks_.hand_over(slice, at);
  } catch (const std::bad_alloc&) {
    open.is_whole = false;
    return 0;
  }
}

void InlineSlices::begin_task(InlineThread& thread, std::uint64_t slot, std::uint64_t task,
                              bool has_clock, bool is_thread) noexcept {
  const std::lock_guard lock(thread.mutex);
  if (!thread.is_counting()) return;
  InlineThread::OpenSlice& open = thread.slice;
  // A thread that a slice started may go on to serve others.
  if (open.task != 0 && open.is_thread && task != 0 &&
      SliceTasks::slice_of(task) != SliceTasks::slice_of(open.task)) {
    leave_task(thread, slot, 0);
  }
  if (is_in_slice(thread, slot, true)) {
    if (open.task != 0) ++open.runs;
    return;
  }
  if (task == 0 || !tasks_.begin(task)) return;
  open.facts = {};
  open.parts.clear();
  open.is_whole = true;
  open.is_in_code = true;
  open.is_closed = false;
  open.handing_over = 0;
  open.task = task;
  open.runs = 1;
  open.is_thread = is_thread;
  try {
    const auto no_leaf = [](MethodId, SiteOrdinal, MethodId) { return false; };
    if (!thread.lost_track && !thread.misses_slices &&
        thread.tree.path_to(slot, no_leaf, open.base) &&
        thread.tree.begin_slice_below(slot, open.nodes)) {
      return start_clocks(thread, has_clock);
    }
  } catch (const std::bad_alloc&) {
    // As one that cannot be followed.
  }
  drop_slice(thread);
  open.task = 0;
}

void InlineSlices::end_task(InlineThread& thread, std::uint64_t slot, bool ends_all,
                            bool is_whole) noexcept {
  const std::lock_guard lock(thread.mutex);
  InlineThread::OpenSlice& open = thread.slice;
  InlineTree* const tree = thread.tree.sliced();
  if (tree == nullptr || thread.closed || open.task == 0) return;
  if (!ends_all && --open.runs != 0) return;
  if (ends_all && open.is_thread) return;
  const bool is_here = tree->has(slot) && tree->is_at_slice(slot) && !tree->has_left_slice();
  finish_task(thread, is_whole && is_here);
}

void InlineSlices::finish_task(InlineThread& thread, bool is_whole) noexcept {
  InlineThread::OpenSlice& open = thread.slice;
  if (sums_up(thread, is_whole)) {
    tasks_.end(open.task, open.facts, open.base, open.nodes, true);
  } else {
    drop_slice(thread);
  }
  end_open(thread);
}

// Ends the part of a task that the thread runs, since something else begins. `entered`: node of a frame that is not in it,
// though its call is counted; 0 means none. Frames of the part may go on, with calls that no pass has seen.
void InlineSlices::leave_task(InlineThread& thread, std::uint64_t slot,
                              std::uint32_t entered) noexcept {
  InlineTree* const tree = thread.tree.sliced();
  if (tree == nullptr || thread.slice.task == 0) return;
  const bool is_inside =
      tree->has(slot) && (tree->is_at_slice(slot) || tree->is_inside_slice(slot));
  if (is_inside && entered != 0) ++region_.seen_calls(entered);
  finish_task(thread, is_inside);
  tree->doubts_seen_calls();
}

void InlineSlices::end_thread(InlineThread& thread) noexcept {
  if (thread.tree.sliced() == nullptr || thread.slice.task == 0) return;
  finish_task(thread, thread.slice.is_thread);
}

// Sets `nodes` to the contexts of the open slice with all its calls; false if some are in others.
bool InlineSlices::take(InlineThread& thread, std::vector<ContextNode>& nodes) {
  InlineThread::OpenSlice& open = thread.slice;
  InlineTree& tree = *thread.tree.sliced();
  if (open.parts.empty()) return tree.take_new_calls(InlineTree::Reach::kCalled, nodes);
  const bool has_all = tree.take_new_calls(InlineTree::Reach::kAll, open.parts.emplace_back());
  nodes = sum_of(open.parts);
  give_back(open.parts);
  return has_all;
}

void InlineSlices::measure(std::span<const MeasureName> columns) {
  measure_of_.assign(columns.size(), kMostSliceMeasures);
  for (std::size_t i = 0; i < columns.size() && measures_.size() < kMostSliceMeasures; ++i) {
    const MeasureName& column = columns[i];
    if (column.in_slices == MeasureName::InSlices::kNo) continue;
    measure_of_[i] = measures_.size();
    measures_.push_back({std::string(column.name), std::string(column.unit), column.scale,
                         column.in_slices == MeasureName::InSlices::kSampled});
  }
}

void InlineSlices::add(InlineThread& thread, std::uint64_t slot,
                       std::span<const ColumnAmount> amounts) noexcept {
  InlineTree* const tree = thread.tree.sliced();
  if (tree == nullptr || !tree->has(slot)) return;
  if (!tree->is_at_slice(slot) && !tree->is_inside_slice(slot)) return;
  for (const ColumnAmount& amount : amounts) {
    const std::size_t measure =
        amount.column < measure_of_.size() ? measure_of_[amount.column] : kMostSliceMeasures;
    if (measure < kMostSliceMeasures) thread.slice.facts.amounts[measure] += amount.amount;
  }
}

void InlineSlices::add_time(InlineThread& thread, std::uint64_t slot, std::size_t column,
                            std::uint64_t ns) noexcept {
  if (thread.tree.sliced() == nullptr || column >= measure_of_.size()) return;
  if (measure_of_[column] == kMostSliceMeasures) return;
  const std::uint64_t since_begin = now(CLOCK_MONOTONIC) - thread.slice.began_ns;
  const std::uint64_t scale = measures_[measure_of_[column]].scale;
  const ColumnAmount amount{column, std::min(ns, since_begin) / scale};
  add(thread, slot, {&amount, 1});
}

bool InlineSlices::is_open(InlineThread& thread) noexcept {
  const std::lock_guard lock(thread.mutex);
  return thread.tree.sliced() != nullptr;
}

bool InlineSlices::ends(InlineThread& thread, std::uint64_t frame) noexcept {
  const std::lock_guard lock(thread.mutex);
  const InlineTree* const tree = thread.tree.sliced();
  return tree != nullptr && tree->has(frame) && tree->is_at_slice(frame);
}

void InlineSlices::give_up(InlineThread& thread) noexcept {
  InlineTree* const tree = thread.tree.sliced();
  if (tree == nullptr) return;
  drop_slice(thread);
  try {
    std::vector<ContextNode> seen;
    tree->take_new_calls(InlineTree::Reach::kAll, seen);
  } catch (const std::bad_alloc&) {
    thread.misses_slices = true;
  }
  tree->doubts_seen_calls();
  end_open(thread);
}

void InlineSlices::meets_excerpt(InlineThread& thread) noexcept {
  if (thread.tree.sliced() == nullptr) return;
  if (thread.tree.excerpt_count() != 0 && thread.tree.sliced() == &thread.tree.innermost()) {
    give_up(thread);
  } else {
    thread.slice.is_whole = false;
  }
}

void InlineSlices::keep_counts(InlineThread& thread) noexcept {
  InlineTree* const tree = thread.tree.sliced();
  if (tree == nullptr || thread.closed) return;
  auto& parts = thread.slice.parts;
  try {
    const auto reach = parts.empty() ? InlineTree::Reach::kCalled : InlineTree::Reach::kAll;
    const bool has_all = tree->take_new_calls(reach, parts.emplace_back());
    thread.slice.is_whole = thread.slice.is_whole && has_all;
  } catch (const std::bad_alloc&) {
    thread.slice.is_whole = false;
  }
}

void InlineSlices::shrank(InlineThread& thread, std::uint64_t slot) noexcept {
  InlineTree* const tree = thread.tree.sliced();
  if (tree == nullptr || tree->keeps_slice(slot)) return;
  thread.misses_slices = thread.misses_slices || tree->is_inside_slice(slot);
  give_up(thread);
}

void InlineSlices::forget() noexcept {
  slices_.clear();
  tasks_.clear();
}

void InlineSlices::begin_recording() noexcept {
  forget();
  std::atomic_ref<std::uint64_t>(begun_).store(0, std::memory_order_relaxed);
  began_ns_ = now(CLOCK_MONOTONIC);
  threads_.each([](InlineThread& thread) { thread.slice.is_whole = false; });
}

SlicesSoFar InlineSlices::so_far(std::uint64_t open) const {
  const std::unique_ptr<Slices> all = slices_.copy();
  tasks_.add_held_to(*all);
  SlicesSoFar so_far = all->so_far();
  tasks_.count_in(so_far);
  so_far.open = open;
  so_far.measures = measures_;
  return so_far;
}

}  // namespace copse::cct
