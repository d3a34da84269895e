// Excerpts: what is called while a piece of the program's code runs.
#include <algorithm>
#include <new>
#include <utility>

#include "cct/inplace/inline_trees.h"
#include "cct/inplace/inline_trees_internal.h"

namespace copse::cct {

std::uint64_t InlineTrees::begin_excerpt(shadowstack::ThreadHeader* header, std::uint64_t slot,
                                         Whose whose) noexcept {
  auto* thread = reinterpret_cast<Thread*>(header->state);
  if (thread == nullptr) return 0;
  InlineTrees& trees = thread->owner;
  if (trees.keeps_all_.load(std::memory_order_relaxed)) return kResumesFrames;
  std::uint64_t root = 0;
  {
    std::unique_lock lock(thread->mutex);
    if (thread->closed || !thread->live) return 0;
    if (thread->tree.excerpts_around(slot) < thread->tree.excerpt_count()) {
      lock.unlock();
      trees.end_left_open(*thread, slot);
      lock.lock();
    }
    root = thread->tree.begin_excerpt(slot, calls_of(trees.region_.unowned()));
  }
  if (root == 0 || whose == Whose::kOwnCalls) return root;
  if (trees.watch_others(*thread)) return root;
  static_cast<void>(trees.end_excerpt_of(*thread, root));
  return 0;
}

// False without memory.
bool InlineTrees::watch_others(const Thread& thread) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    auto watch = std::make_unique<Watch>(thread, merged_);
    for (const auto& other : threads_) {
      if (other.get() == &thread) continue;
      const std::lock_guard other_lock(other->mutex);
      if (!other->live || other->closed) continue;
      watch->lost_before += other->tree.add_to(watch->before, kMostExcerptNodes).lost;
    }
    watches_.push_back(std::move(watch));
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

// Keeps a thread's calls for the watches before they go to the master: all of them, or those of the
// innermost excerpt. REQUIRES: the caller holds mutex_ and the thread's mutex.
void InlineTrees::keep_for_watches(const Thread& thread, Part part) noexcept {
  for (const auto& watch : watches_) {
    if (&watch->by == &thread) continue;
    try {
      const InlineTree::Totals totals =
          part == Part::kAll ? thread.tree.add_to(watch->called, kMostExcerptNodes)
                             : thread.tree.add_innermost_to(watch->called, kMostExcerptNodes);
      watch->lost += totals.lost;
    } catch (const std::bad_alloc&) {
      watch->is_whole = false;
    }
  }
}

void InlineTrees::end_left_open(Thread& thread, std::uint64_t slot) noexcept {
  const std::lock_guard lock(mutex_);
  const std::lock_guard thread_lock(thread.mutex);
  if (!thread.closed) end_excerpts_but(thread, thread.tree.excerpts_around(slot));
}

// Under mutex_ and the thread's, as below.
void InlineTrees::end_excerpts_but(Thread& thread, std::size_t count) noexcept {
  while (thread.tree.excerpt_count() > count) {
    static_cast<void>(take_watch(thread));
    static_cast<void>(end_innermost(thread));
  }
}

std::optional<Excerpt> InlineTrees::end_excerpt(shadowstack::ThreadHeader* header,
                                                std::uint64_t slot) noexcept {
  auto* thread = reinterpret_cast<Thread*>(header->state);
  return thread == nullptr ? std::nullopt : thread->owner.end_excerpt_of(*thread, slot);
}

std::optional<Excerpt> InlineTrees::end_excerpt_of(Thread& thread, std::uint64_t slot) noexcept {
  if (before_nodes_go_) before_nodes_go_(*thread.header);
  const std::lock_guard lock(mutex_);
  Excerpt excerpt;
  std::unique_ptr<Watch> watch;
  {
    const std::lock_guard thread_lock(thread.mutex);
    const std::size_t count = thread.closed ? 0 : thread.tree.excerpts_up_to(slot);
    if (count == 0) return std::nullopt;
    end_excerpts_but(thread, count);
    watch = take_watch(thread);
    excerpt = end_innermost(thread);
  }
  if (watch != nullptr) add_others(*watch, excerpt);
  return excerpt;
}

Excerpt InlineTrees::end_innermost(Thread& thread) noexcept {
  Excerpt excerpt;
  try {
    excerpt = thread.tree.excerpt(calls_of(region_.unowned()));
  } catch (const std::bad_alloc&) {
    excerpt = {.nodes = {}, .is_whole = false};
  }
  keep_for_watches(thread, Part::kInnermostExcerpt);
  move_with(thread, [&](InlineMove& move, InlineTree::Totals& totals) {
    thread.tree.drop_excerpt(excerpt, move, totals);
  });
  return excerpt;
}

// That of the innermost excerpt, if it is one of all threads.
std::unique_ptr<InlineTrees::Watch> InlineTrees::take_watch(const Thread& thread) noexcept {
  std::unique_ptr<Watch> found;
  std::erase_if(watches_, [&](std::unique_ptr<Watch>& watch) {
    if (&watch->by != &thread || watch->depth != thread.tree.excerpt_count()) return false;
    found = std::move(watch);
    return true;
  });
  return found;
}

void InlineTrees::add_others(Watch& watch, Excerpt& excerpt) noexcept {
  try {
    for (const auto& other : threads_) {
      if (other.get() == &watch.by) continue;
      const std::lock_guard other_lock(other->mutex);
      if (!other->live || other->closed) continue;
      watch.lost += other->tree.add_to(watch.called, kMostExcerptNodes).lost;
    }
    if (merged_->any()) {
      watch.before.merge_recursion();
      watch.called.merge_recursion();
      excerpt.is_merged = true;
    }
    watch.subtract_before(excerpt);
  } catch (const std::bad_alloc&) {
    excerpt.is_whole = false;
  }
  const bool has_all = watch.before.calls_lost() + watch.called.calls_lost() == 0 &&
                       !watch.before.is_left_full() && !watch.called.is_left_full();
  excerpt.is_whole = excerpt.is_whole && watch.is_whole && has_all;
  excerpt.calls_lost += watch.lost - watch.lost_before;
}

// Adds what is left to the excerpt.
void InlineTrees::Watch::subtract_before(Excerpt& excerpt) {
  std::vector<std::uint64_t> had(called.node_count());
  std::vector<std::uint32_t> in_called(before.node_count(), raw(kRootNode));
  for (std::uint32_t i = 1; i < before.node_count(); ++i) {
    const std::uint32_t above = in_called[before.parent(i)];
    const bool is_there = above != raw(kRootNode) || before.parent(i) == raw(kRootNode);
    in_called[i] = is_there ? called.find(above, before.key(i)) : raw(kRootNode);
    had[in_called[i]] += before.calls(i);
  }
  std::vector<std::uint64_t> left(called.node_count());
  std::vector<bool> leads_to_some(called.node_count());
  for (std::uint32_t i = called.node_count(); i-- > 1;) {
    left[i] = called.calls(i) - std::min(called.calls(i), had[i]);
    if (left[i] != 0) leads_to_some[i] = true;
    if (leads_to_some[i]) leads_to_some[called.parent(i)] = true;
  }
  if (excerpt.nodes.empty()) excerpt.nodes.push_back({kRootNode, 0, 0});
  std::vector<NodeIndex> rows(called.node_count(), kRootNode);
  for (std::uint32_t i = 1; i < called.node_count(); ++i) {
    if (!leads_to_some[i]) continue;
    rows[i] = NodeIndex{static_cast<std::uint32_t>(excerpt.nodes.size())};
    excerpt.nodes.push_back({rows[called.parent(i)], called.key(i), left[i]});
  }
}

}  // namespace copse::cct
