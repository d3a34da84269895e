// A thread's tree in place, and beside it those of the excerpts that it has open: while an excerpt
// lasts, the thread builds a tree of its own for it, which hangs in the slot where the thread stood.
// When it ends its counts go where they would be without it, so an excerpt costs by what it has.
//
// Excerpts are nested; what the thread calls is in the innermost, and comes to those around it when
// that one ends. Where a tree shrinks, or counts leave it otherwise, open excerpts keep theirs.
//
// An excerpt may be left open when its end is kept from happening: what the thread calls is then in the
// tree that its word is in.
//
// Who reads the memory of a killed process finds the trees of excerpts as well: the root of one is in
// the slot in which it hangs.
//
// Threads: the caller's lock, as of InlineTree.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cct/cct.h"
#include "cct/inplace/excerpt.h"
#include "cct/inplace/inline_tree.h"

namespace copse::cct {

class ThreadTrees {
 public:
  ThreadTrees(InlineRegion& region, const std::shared_ptr<MergedMethods>& merged)
      : region_(region), merged_(merged), own_(region, *merged) {}

  // As of InlineTree, all below.
  void belong_to(ThreadIndex owner, MethodId group) noexcept {
    owner_ = owner;
    group_ = group;
    own_.belong_to(owner, group);
  }
  // Of the tree that the thread builds now.
  std::uint64_t root_slot() noexcept { return now().root_slot(); }
  std::uint32_t place(std::uint64_t slot, MethodId method, std::uint32_t slots) noexcept {
    return with(slot).place(slot, method, slots);
  }
  std::uint32_t place_over_bound(std::uint64_t slot, MethodId method,
                                 std::uint32_t slots) noexcept {
    return with(slot).place_over_bound(slot, method, slots);
  }
  std::uint32_t place_lost() noexcept { return now().place_lost(); }
  void show_root_in(std::uint64_t slot) noexcept { now().show_root_in(slot); }
  void forget_callees() noexcept;
  void hide() noexcept;
  void clear() noexcept;
  void forget() noexcept;
  bool has(std::uint64_t slot) const noexcept;
  bool is_behind() const noexcept;
  void merge_from_here() noexcept;
  std::uint64_t made_bytes() const noexcept;
  std::uint64_t kept_bytes() const noexcept;
  std::uint64_t node_count() const noexcept;
  ContextKey first_key() const noexcept;
  void add_to(Cycles& cycles) const;
  void add_to(RecursionDepths& depths) const;
  bool path_to(std::uint64_t slot, const InlineTree::IsLeafOf& is_leaf_of,
               std::vector<ContextKey>& path) const;
  InlineTree::Totals add_to(Cct& tree, std::uint32_t most_nodes) const;
  InlineTree::Totals add_innermost_to(Cct& tree, std::uint32_t most_nodes) const;
  // Open excerpts keep what they have.
  void move_counts(InlineMove& move, InlineTree::Totals& totals);
  // `slot`: of the innermost tree.
  void keep_only(std::uint64_t slot) noexcept;

  // From now on the thread's calls are in a tree that hangs in `slot`, or where the tree begins if it
  // is in none of them: the slot for its next callee. 0 without memory. Cost: a chunk of 512 bytes.
  // `nobodys_calls`: of nobody's node (inline_region.h), where calls go that there was no memory for.
  std::uint64_t begin_excerpt(std::uint64_t slot, std::uint64_t nobodys_calls) noexcept;
  // How many excerpts there are up to the one that begin_excerpt() returned this slot for; 0: it is
  // none.
  std::size_t excerpts_up_to(std::uint64_t root_slot) noexcept;
  // How many there are in whose innermost a thread stands that has this slot for its word. Others were
  // left open: their end was kept from happening, by a stack overflow.
  std::size_t excerpts_around(std::uint64_t slot) const noexcept;
  std::size_t excerpt_count() const noexcept { return open_.size(); }
  // The innermost excerpt, once: drop_excerpt() follows. Throws std::bad_alloc.
  Excerpt excerpt(std::uint64_t nobodys_calls);
  // Ends it: its counts go to the master, and to the excerpt around it. Throws std::bad_alloc: what
  // was moved until then is in `totals`, the rest is gone.
  void drop_excerpt(const Excerpt& excerpt, InlineMove& move, InlineTree::Totals& totals);

 private:
  struct Open {
    Open(InlineRegion& region, const MergedMethods& merged) : tree(region, merged) {}

    InlineTree tree;
    std::uint64_t base = 0;           // the slot that it hangs in
    std::unique_ptr<Cct> moved;       // counts that left the tree; null: none
    std::uint64_t calls_lost = 0;     // beside those of `tree` and `moved`
    std::uint64_t nobodys_calls = 0;  // when it began
    bool is_whole = true;             // there was memory for what left it
  };

  InlineTree& now() noexcept { return open_.empty() ? own_ : open_.back()->tree; }
  InlineTree& with(std::uint64_t slot) noexcept;
  // By number: the thread's own is the first, the innermost excerpt's the last.
  const InlineTree& tree(std::size_t i) const noexcept {
    return i == 0 ? own_ : open_[i - 1]->tree;
  }
  InlineTree& tree(std::size_t i) noexcept { return i == 0 ? own_ : open_[i - 1]->tree; }
  std::size_t tree_count() const noexcept { return open_.size() + 1; }
  InlineTree::Base base_of_tree(std::size_t i) const;
  void keep_in_excerpts() noexcept;
  void keep_in(Open& open, const InlineTree::Base& base, const Excerpt& inside) const;
  Cct& moved_of(Open& open) const;
  void close_innermost() noexcept;

  InlineRegion& region_;
  const std::shared_ptr<MergedMethods> merged_;
  ThreadIndex owner_{};
  MethodId group_ = kNoMethod;
  ContextKey first_key_ = 0;  // since an excerpt ended
  InlineTree own_;
  std::vector<std::unique_ptr<Open>> open_;  // the innermost last
  std::unique_ptr<Open> spare_;
};

}  // namespace copse::cct
