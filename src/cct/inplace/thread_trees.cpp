#include "cct/inplace/thread_trees.h"

#include <algorithm>
#include <new>
#include <utility>

namespace copse::cct {
namespace {

// Where what hangs at `inner`, in a tree that itself hangs at `outer`, is in the whole.
InlineTree::Base in_whole(InlineTree::Base outer, const InlineTree::Base& inner) {
  if (outer.is_lost || inner.is_lost) return {.path = {}, .site = kNoSite, .is_lost = true};
  if (inner.path.empty()) return outer;
  for (const ContextKey key : inner.path) {
    const bool hangs_at_outer = outer.site != kNoSite && site_of(key) == kNoSite;
    outer.path.push_back(hangs_at_outer ? context_key(outer.site, method_of(key)) : key);
    outer.site = kNoSite;
  }
  outer.site = inner.site;
  return outer;
}

}  // namespace

InlineTree& ThreadTrees::with(std::uint64_t slot) noexcept {
  for (std::size_t i = tree_count(); i-- > 1;) {
    if (tree(i).knows(slot)) return tree(i);
  }
  return open_.empty() || own_.knows(slot) ? own_ : now();
}

bool ThreadTrees::has(std::uint64_t slot) const noexcept {
  for (std::size_t i = 0; i < tree_count(); ++i) {
    if (tree(i).has(slot)) return true;
  }
  return false;
}

void ThreadTrees::forget_callees() noexcept {
  for (std::size_t i = 0; i < tree_count(); ++i) tree(i).forget_callees();
}

void ThreadTrees::hide() noexcept {
  for (std::size_t i = 0; i < tree_count(); ++i) tree(i).hide();
}

void ThreadTrees::clear() noexcept {
  ++version_;
  end_slice();
  open_.clear();
  own_.clear();
  first_key_ = 0;
}

void ThreadTrees::forget() noexcept {
  ++version_;
  end_slice();
  for (std::size_t i = 0; i < tree_count(); ++i) tree(i).forget();
  open_.clear();
  first_key_ = 0;
}

bool ThreadTrees::is_behind() const noexcept {
  for (std::size_t i = 0; i < tree_count(); ++i) {
    if (tree(i).is_behind()) return true;
  }
  return false;
}

void ThreadTrees::merge_from_here() noexcept {
  for (std::size_t i = 0; i < tree_count(); ++i) tree(i).merge_from_here();
}

std::uint64_t ThreadTrees::made_bytes() const noexcept {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < tree_count(); ++i) bytes += tree(i).made_bytes();
  return bytes;
}

std::uint64_t ThreadTrees::kept_bytes() const noexcept {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < tree_count(); ++i) bytes += tree(i).kept_bytes();
  return bytes;
}

std::uint64_t ThreadTrees::node_count() const noexcept {
  std::uint64_t nodes = 0;
  for (std::size_t i = 0; i < tree_count(); ++i) nodes += tree(i).node_count();
  return nodes;
}

ContextKey ThreadTrees::first_key() const noexcept {
  if (first_key_ != 0) return first_key_;
  if (own_.first_key() != 0 || open_.empty()) return own_.first_key();
  const ContextKey key = open_.front()->tree.first_key();
  return key == 0 || group_ == kNoMethod ? key : context_key(kNoSite, group_);
}

void ThreadTrees::note_counts(std::vector<InlineLeftOut>& counts) {
  for (std::size_t i = 0; i < tree_count(); ++i) tree(i).note_counts(counts);
}

void ThreadTrees::leave_out(InlineLeftOut* counts) noexcept {
  for (std::size_t i = 0; i < tree_count(); ++i) tree(i).leave_out(counts);
}

void ThreadTrees::add_to(Cycles& cycles) const {
  for (std::size_t i = 0; i < tree_count(); ++i) tree(i).add_to(cycles);
}

void ThreadTrees::add_to(RecursionDepths& depths) const {
  for (std::size_t i = 0; i < tree_count(); ++i) tree(i).add_to(depths);
}

std::optional<std::uint32_t> ThreadTrees::climb(std::uint64_t slot,
                                                const InlineTree::IsLeafOf& is_leaf_of,
                                                const InlineTree::KnownNode& known,
                                                std::vector<InlineTree::Above>& above) const {
  std::size_t i = tree_count();
  do {
    if (i == 0) return std::nullopt;
  } while (!tree(--i).has(slot));
  std::optional<std::uint32_t> top = tree(i).climb(slot, is_leaf_of, known, above);
  for (; top == 0u && i > 0; --i) {
    const std::uint64_t base = open_[i - 1]->base;
    const InlineTree& outer = tree(i - 1);
    if (outer.knows(base) && !outer.has(base)) return std::nullopt;  // among lost calls
    const SiteOrdinal site = outer.site_of(base);
    if (!above.empty() && site_of(above.back().key) == kNoSite) {
      above.back().key = context_key(site, method_of(above.back().key));
    }
    if (outer.has(base)) top = outer.climb(base, {}, known, above);
  }
  return top;
}

std::uint64_t ThreadTrees::corrected(std::uint64_t slot, const shadowstack::CodePlace& code) const {
  for (std::size_t i = tree_count(); i-- > 0;) {
    if (tree(i).has(slot)) return tree(i).corrected(slot, code);
  }
  return slot;
}

bool ThreadTrees::path_to(std::uint64_t slot, const InlineTree::IsLeafOf& is_leaf_of,
                          std::vector<ContextKey>& path) const {
  path.clear();
  std::vector<InlineTree::Above> above;
  if (!climb(slot, is_leaf_of, {}, above)) return false;
  InlineTree::append_path(above, path);
  return true;
}

std::optional<InlineTree::Base> ThreadTrees::base_of(std::uint64_t slot) const {
  for (std::size_t i = tree_count(); i-- > 0;) {
    if (tree(i).has(slot)) return in_whole(base_of_tree(i), tree(i).base_of(slot));
  }
  return std::nullopt;
}

InlineTree::Base ThreadTrees::base_of_tree(std::size_t i) const {
  InlineTree::Base base;
  for (std::size_t above = 0; above < i; ++above) {
    base = in_whole(std::move(base), tree(above).base_of(open_[above]->base));
  }
  return base;
}

std::size_t ThreadTrees::count_outside_tests() const noexcept {
  const auto test = std::ranges::find_if(open_, [](const auto& open) { return open->is_test; });
  return static_cast<std::size_t>(test - open_.begin()) + 1;
}

InlineTree::Totals ThreadTrees::add_first_to(std::size_t count, Cct& tree,
                                             std::uint32_t most_nodes) const {
  InlineTree::Totals totals;
  for (std::size_t i = 0; i < count; ++i) {
    const InlineTree::Totals of_tree = this->tree(i).add_to(tree, most_nodes, base_of_tree(i));
    totals.calls += of_tree.calls;
    totals.lost += of_tree.lost;
  }
  return totals;
}

InlineTree::Totals ThreadTrees::add_innermost_to(Cct& tree, std::uint32_t most_nodes) const {
  return this->tree(open_.size()).add_to(tree, most_nodes, base_of_tree(open_.size()));
}

void ThreadTrees::move_counts(InlineMove& move, InlineTree::Totals& totals) {
  keep_in_excerpts();
  for (std::size_t i = 0; i < tree_count(); ++i) tree(i).move_counts(move, base_of_tree(i), totals);
}

void ThreadTrees::spend_counts(InlineMove& move, InlineTree::Totals& totals) {
  ++version_;
  if (!open_.empty())
    return move_counts(move, totals);  // they hang in slots of the thread's own tree
  own_.spend_counts(move, totals);
}

void ThreadTrees::keep_only(std::uint64_t slot) noexcept {
  ++version_;
  for (std::size_t i = 0; i < tree_count(); ++i) {
    tree(i).keep_only(i < open_.size() ? open_[i]->base : slot);
  }
}

Cct& ThreadTrees::moved_of(Open& open) const {
  if (open.moved == nullptr) {
    open.moved = std::make_unique<Cct>(shadowstack::anonymous_memory(), kMostExcerptNodes);
    open.moved->merge_recursion_of(merged_);
  }
  return *open.moved;
}

void ThreadTrees::keep_in_excerpts() noexcept {
  for (const auto& open : open_) {
    try {
      open->calls_lost +=
          open->tree.add_to(moved_of(*open), kMostExcerptNodes, InlineTree::Base{}).lost;
    } catch (const std::bad_alloc&) {
      open->is_whole = false;
    }
  }
}

// Adds the counts of an excerpt inside `open`.
void ThreadTrees::keep_in(Open& open, const InlineTree::Base& base, const Excerpt& inside) const {
  open.calls_lost += inside.calls_lost;
  open.is_whole = open.is_whole && inside.is_whole;
  if (inside.nodes.size() <= 1) return;
  Cct& moved = moved_of(open);
  const auto callee = [&](std::uint32_t above, ContextKey key) {
    return above == Cct::kOverflowNode ? above : moved.callee(above, key);
  };
  std::uint32_t top = base.is_lost ? Cct::kOverflowNode : raw(kRootNode);
  for (const ContextKey key : base.path) top = callee(top, key);
  std::vector<std::uint32_t> theirs = {top};
  theirs.reserve(inside.nodes.size());
  for (const ContextNode& node : std::span(inside.nodes).subspan(1)) {
    const bool hangs_at_base = node.parent == kRootNode && site_of(node.key) == kNoSite;
    const ContextKey key = hangs_at_base ? context_key(base.site, method_of(node.key)) : node.key;
    theirs.push_back(callee(theirs[raw(node.parent)], key));
    moved.add_calls(theirs.back(), node.calls);
  }
}

std::uint64_t ThreadTrees::begin_excerpt(std::uint64_t slot, std::uint64_t unowned_calls,
                                         bool is_test) noexcept {
  const bool known = with(slot).knows(slot);
  const std::uint64_t base = known ? slot : root_slot();
  if (base == 0) return 0;
  try {
    open_.reserve(open_.size() + 1);
    if (spare_ == nullptr) spare_ = std::make_unique<Open>(region_, *merged_);
  } catch (const std::bad_alloc&) {
    return 0;
  }
  spare_->base = base;
  spare_->is_test = is_test;
  spare_->unowned_calls = unowned_calls;
  spare_->tree.belong_to(owner_, kNoMethod, base);
  const std::uint64_t root = spare_->tree.root_slot();
  if (root != 0) open_.push_back(std::move(spare_));
  return root;
}

std::size_t ThreadTrees::excerpts_up_to(std::uint64_t root_slot) noexcept {
  for (std::size_t i = open_.size(); i > 0; --i) {
    if (tree(i).root_slot() == root_slot) return i;
  }
  return 0;
}

std::size_t ThreadTrees::excerpts_around(std::uint64_t slot) const noexcept {
  for (std::size_t i = tree_count(); i-- > 0;) {
    if (tree(i).knows(slot)) return i;
  }
  return open_.size();
}

Excerpt ThreadTrees::excerpt(std::uint64_t unowned_calls) {
  Open& open = *open_.back();
  Excerpt excerpt;
  if (open.moved == nullptr && !open.tree.has_aliases()) {
    excerpt.nodes = open.tree.contexts();
    excerpt.calls_lost = open.tree.calls_lost();
  } else {
    Cct& all = moved_of(open);
    excerpt.calls_lost = open.tree.add_to(all, kMostExcerptNodes, InlineTree::Base{}).lost;
    excerpt.nodes.reserve(all.node_count());
    for (std::uint32_t i = 0; i < all.node_count(); ++i) {
      excerpt.nodes.push_back(all.node(NodeIndex{i}));
    }
    excerpt.calls_lost += all.calls_lost();
    excerpt.is_merged = merged_->any();
  }
  // Those of other threads among them.
  excerpt.calls_lost += open.calls_lost + (unowned_calls - open.unowned_calls);
  excerpt.is_whole = open.is_whole;
  return excerpt;
}

void ThreadTrees::drop_excerpt(const Excerpt& excerpt, InlineMove& move,
                               InlineTree::Totals& totals) {
  first_key_ = first_key();
  const std::size_t at = open_.size();
  struct Closing {
    ThreadTrees& trees;
    ~Closing() { trees.close_innermost(); }
  };
  const Closing closing{*this};
  if (at > 1) {
    try {
      keep_in(*open_[at - 2], tree(at - 1).base_of(open_[at - 1]->base), excerpt);
    } catch (const std::bad_alloc&) {
      open_[at - 2]->is_whole = false;
    }
  }
  if (excerpt.nodes.size() > 1 || excerpt.calls_lost != 0 || !excerpt.is_whole) {
    tree(at).move_counts(move, base_of_tree(at), totals);
  }
}

void ThreadTrees::close_innermost() noexcept {
  ++version_;
  if (sliced_ == &innermost()) end_slice();
  std::unique_ptr<Open> open = std::move(open_.back());
  open_.pop_back();
  open->tree.clear();
  open->moved.reset();
  open->calls_lost = 0;
  open->is_whole = true;
  spare_ = std::move(open);
}

}  // namespace copse::cct
