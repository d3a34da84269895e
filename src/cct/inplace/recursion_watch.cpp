#include "cct/inplace/recursion_watch.h"

#include <algorithm>
#include <new>

#include "cct/cycles.h"
#include "cct/recursion_depths.h"

namespace copse::cct {
namespace {

// When a thread's tree has grown by this number of nodes, the contexts of all trees are counted.
constexpr std::uint64_t kLookEvery = 1u << 15;

}  // namespace

void RecursionWatch::put_off(InlineThread& thread) const noexcept {
  thread.look_at = thread.tree.node_count() + std::min(kLookEvery, options_.look_at);
}

void RecursionWatch::look(InlineThread& thread) noexcept {
  const std::lock_guard lock(threads_.mutex);
  if (threads_.are_closed()) return;
  put_off(thread);
  const std::uint64_t so_many = contexts();
  if (!next_.is_due(so_many)) return;
  next_.found_none(so_many);
  try {
    if (!find_cycles()) return;
  } catch (const std::bad_alloc&) {
    return;  // contexts stay as exact as they are
  }
  note_depths();
  master_.merge_recursion();
  next_.found_some(contexts());
}

// Under the lock, like the functions below. Trees that are to be merged are not counted.
std::uint64_t RecursionWatch::contexts() noexcept {
  std::uint64_t contexts = master_.tree().node_count();
  threads_.each([&](const InlineThread& thread) {
    if (!thread.tree.is_behind()) contexts += thread.tree.node_count();
  });
  return contexts;
}

// Returns whether there is something to merge in the master.
bool RecursionWatch::find_cycles() {
  Cycles cycles;
  master_.tree().add_to(cycles);
  threads_.each_counting([&](const InlineThread& thread) {
    if (!thread.tree.is_behind()) thread.tree.add_to(cycles);
  });
  return merged_.add_from(cycles) || master_.tree().is_left_full();
}

// Notes the recursion depths of the methods to be merged, before they are merged.
void RecursionWatch::note_depths() noexcept {
  try {
    RecursionDepths depths(merged_);
    master_.tree().add_to(depths);
    threads_.each_counting([&](const InlineThread& thread) { thread.tree.add_to(depths); });
  } catch (const std::bad_alloc&) {
    // The depths of what was reached are lower bounds all the same.
  }
}

}  // namespace copse::cct
