#include "cct/inplace/slice_tasks.h"

#include <algorithm>
#include <new>
#include <utility>

namespace copse::cct {
namespace {

// Parts of a tree become one when they have more contexts than this, and than twice the sum.
constexpr std::uint64_t kLeastToMerge = 4096;

std::uint64_t contexts_in(const TaskTree& tree) {
  std::uint64_t contexts = 0;
  for (const std::vector<ContextNode>& part : tree.parts) contexts += part.size();
  return contexts;
}

}  // namespace

std::uint64_t SliceTasks::add_slice() {
  const std::lock_guard lock(mutex_);
  held_.try_emplace(last_ + 1);
  return ++last_;
}

std::uint64_t SliceTasks::hand_over(std::uint64_t slice,
                                    const std::vector<ContextKey>& at) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = held_.find(slice);
  if (found == held_.end()) return 0;
  std::vector<HandedOver>& places = found->second.slice.handed_over;
  std::size_t place = 0;
  while (place < places.size() && places[place].at != at) ++place;
  try {
    if (place == kMostPlaces) {
      place = kMostPlaces - 1;  // the last one has the tasks of further places, too
    } else if (place == places.size()) {
      places.push_back({at, 0, 0});
    }
  } catch (const std::bad_alloc&) {
    found->second.is_whole = false;
    return 0;
  }
  return slice << kPlaceBits | place;
}

bool SliceTasks::begin(std::uint64_t task) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = held_.find(slice_of(task));
  if (found == held_.end()) {
    if (slice_of(task) >= first_) ++late_;
    return false;
  }
  ++found->second.running;
  return true;
}

void SliceTasks::end(std::uint64_t task, const SliceFacts& facts,
                     const std::vector<ContextKey>& base, const std::vector<ContextNode>& nodes,
                     bool is_whole) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = held_.find(slice_of(task));
  if (found == held_.end()) return;
  Held& held = found->second;
  --held.running;
  HandedOver& place = held.slice.handed_over[task & ((std::uint64_t{1} << kPlaceBits) - 1)];
  ++place.tasks;
  place.calls += facts.calls;
  held.calls += facts.calls;
  held.cpu_ns += facts.cpu_ns;
  held.has_clock = held.has_clock && facts.cpu_ns != 0;
  for (std::size_t i = 0; i < kMostSliceMeasures; ++i) held.amounts[i] += facts.amounts[i];
  held.is_whole = held.is_whole && is_whole;
  if (!held.is_whole || facts.calls == 0) return;
  try {
    auto tree = std::ranges::find(held.tasks, base, &TaskTree::base);
    if (tree == held.tasks.end()) tree = held.tasks.insert(tree, TaskTree{base, {}, 0});
    tree->parts.push_back(nodes);
    std::uint64_t contexts = contexts_in(*tree);
    std::uint64_t added = nodes.size();
    if (contexts > kLeastToMerge && contexts > 2 * tree->merged) {
      std::vector<ContextNode> sum = sum_of(tree->parts);
      added -= contexts - sum.size();
      tree->merged = sum.size();
      tree->parts.clear();
      tree->parts.push_back(std::move(sum));
    }
    held.contexts += added;
    contexts_ += added;
  } catch (const std::bad_alloc&) {
    held.is_whole = false;
  }
  make_room();
}

void SliceTasks::end_slice(std::uint64_t slice, Slice&& ended) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = held_.find(slice);
  if (found == held_.end()) return;
  Held& held = found->second;
  ended.handed_over = std::move(held.slice.handed_over);
  held.slice = std::move(ended);
  held.has_ended = true;
  held.contexts += held.slice.nodes.size();
  contexts_ += held.slice.nodes.size();
  make_room();
}

void SliceTasks::drop_slice(std::uint64_t slice) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = held_.find(slice);
  if (found == held_.end()) return;
  contexts_ -= found->second.contexts;
  held_.erase(found);
}

void SliceTasks::clear() noexcept {
  const std::lock_guard lock(mutex_);
  held_.clear();
  first_ = last_ + 1;
  contexts_ = late_ = 0;
}

// The oldest ones go first, but none with a task that runs.
void SliceTasks::make_room() noexcept {
  for (auto next = held_.begin();
       next != held_.end() && (held_.size() > kMostHeldSlices || contexts_ > kMostHeldContexts);) {
    const Held& held = next->second;
    if (!held.has_ended || held.running != 0) {
      ++next;
      continue;
    }
    add(held, slices_);
    contexts_ -= held.contexts;
    next = held_.erase(next);
  }
}

void SliceTasks::add(const Held& held, Slices& slices) noexcept {
  if (!held.is_whole) return slices.add_in_part();
  SliceFacts facts = held.slice;
  facts.calls += held.calls;
  facts.cpu_ns = held.has_clock && facts.cpu_ns != 0 ? facts.cpu_ns + held.cpu_ns : 0;
  for (std::size_t i = 0; i < kMostSliceMeasures; ++i) facts.amounts[i] += held.amounts[i];
  slices.add(
      facts, held.slice.nodes,
      [&](Slice& kept) {
        kept.thread_id = held.slice.thread_id;
        kept.thread = held.slice.thread;
        kept.base = held.slice.base;
        kept.handed_over = held.slice.handed_over;
      },
      held.tasks);
}

void SliceTasks::add_held_to(Slices& copy) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [slice, held] : held_) {
    if (held.has_ended) add(held, copy);
  }
}

void SliceTasks::count_in(SlicesSoFar& so_far) const noexcept {
  const std::lock_guard lock(mutex_);
  so_far.tasks_late = late_;
  for (const auto& [slice, held] : held_) so_far.tasks_open += held.running;
}

}  // namespace copse::cct
