#include "cct/inplace/inline_excerpts.h"

#include <algorithm>
#include <new>
#include <utility>

namespace copse::cct {

InlineExcerpts::Watch::Watch(const InlineThread& thread, Whose of,
                             const std::shared_ptr<MergedMethods>& merged)
    : by(thread),
      whose(of),
      depth(thread.tree.excerpt_count()),
      before(shadowstack::anonymous_memory(), kMostExcerptNodes),
      called(shadowstack::anonymous_memory(), kMostExcerptNodes) {
  before.merge_recursion_of(merged);
  called.merge_recursion_of(merged);
}

InlineTree::Totals InlineExcerpts::Watch::add_calls_of(const InlineThread& other, Cct& tree) const {
  return whose == Whose::kTest ? other.tree.add_outside_tests_to(tree, kMostExcerptNodes)
                               : other.tree.add_to(tree, kMostExcerptNodes);
}

std::uint64_t InlineExcerpts::begin(InlineThread& thread, std::uint64_t slot,
                                    Whose whose) noexcept {
  std::uint64_t root = 0;
  {
    std::unique_lock lock(thread.mutex);
    if (!thread.is_counting()) return 0;
    if (thread.tree.excerpts_around(slot) < thread.tree.excerpt_count()) {
      lock.unlock();
      {
        const std::lock_guard all_lock(threads_.mutex);
        const std::lock_guard thread_lock(thread.mutex);
        if (!thread.closed) end_left_open(thread, slot);
      }
      lock.lock();
    }
    root = thread.tree.begin_excerpt(slot, unowned_calls(), whose == Whose::kTest);
  }
  if (root == 0 || whose == Whose::kOwnCalls || watch_others(thread, whose)) return root;
  static_cast<void>(end(thread, root));
  return 0;
}

// Returns false without memory.
bool InlineExcerpts::watch_others(const InlineThread& thread, Whose whose) noexcept {
  const std::lock_guard lock(threads_.mutex);
  try {
    auto watch = std::make_unique<Watch>(thread, whose, merged_);
    threads_.each_counting_but(thread, [&](const InlineThread& other) {
      watch->lost_before += watch->add_calls_of(other, watch->before).lost;
    });
    watches_.push_back(std::move(watch));
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void InlineExcerpts::keep(const InlineThread& thread, Part part) noexcept {
  for (const auto& watch : watches_) {
    const bool is_of_test = watch->whose == Whose::kTest && thread.tree.is_in_test();
    if (&watch->by == &thread || (part == Part::kInnermost && is_of_test)) continue;
    try {
      const InlineTree::Totals totals =
          part == Part::kAll ? watch->add_calls_of(thread, watch->called)
                             : thread.tree.add_innermost_to(watch->called, kMostExcerptNodes);
      watch->lost += totals.lost;
    } catch (const std::bad_alloc&) {
      watch->is_whole = false;
    }
  }
}

void InlineExcerpts::drop(const InlineThread& thread) noexcept {
  std::erase_if(watches_, [&](const auto& watch) { return &watch->by == &thread; });
}

void InlineExcerpts::end_left_open(InlineThread& thread, std::uint64_t slot) noexcept {
  end_but(thread, thread.tree.excerpts_around(slot));
}

void InlineExcerpts::end_but(InlineThread& thread, std::size_t count) noexcept {
  while (thread.tree.excerpt_count() > count) {
    static_cast<void>(take_watch(thread));
    static_cast<void>(end_innermost(thread));
  }
}

std::optional<Excerpt> InlineExcerpts::end(InlineThread& thread, std::uint64_t slot) noexcept {
  const std::lock_guard lock(threads_.mutex);
  Excerpt excerpt;
  std::unique_ptr<Watch> watch;
  {
    const std::lock_guard thread_lock(thread.mutex);
    const std::size_t count = thread.closed ? 0 : thread.tree.excerpts_up_to(slot);
    if (count == 0) return std::nullopt;
    end_but(thread, count);
    watch = take_watch(thread);
    excerpt = end_innermost(thread);
  }
  excerpt.own_nodes = excerpt.nodes.size();
  if (watch != nullptr) add_others(*watch, excerpt);
  return excerpt;
}

Excerpt InlineExcerpts::end_innermost(InlineThread& thread) noexcept {
  Excerpt excerpt;
  try {
    excerpt = thread.tree.excerpt(unowned_calls());
  } catch (const std::bad_alloc&) {
    excerpt = {.nodes = {}, .is_whole = false};
  }
  keep(thread, Part::kInnermost);
  master_.move(thread, [&](InlineMove& move, InlineTree::Totals& totals) {
    thread.tree.drop_excerpt(excerpt, move, totals);
  });
  return excerpt;
}

// Returns that of the innermost excerpt, if it is one of all threads.
std::unique_ptr<InlineExcerpts::Watch> InlineExcerpts::take_watch(
    const InlineThread& thread) noexcept {
  std::unique_ptr<Watch> found;
  std::erase_if(watches_, [&](std::unique_ptr<Watch>& watch) {
    if (&watch->by != &thread || watch->depth != thread.tree.excerpt_count()) return false;
    found = std::move(watch);
    return true;
  });
  return found;
}

void InlineExcerpts::add_others(Watch& watch, Excerpt& excerpt) noexcept {
  try {
    threads_.each_counting_but(watch.by, [&](const InlineThread& other) {
      watch.lost += watch.add_calls_of(other, watch.called).lost;
    });
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
void InlineExcerpts::Watch::subtract_before(Excerpt& excerpt) {
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
