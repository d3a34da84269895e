// A thread's tree in place, and the trees of its open excerpts. During an excerpt the thread builds
// a separate tree, which hangs in the slot where the thread stood. When the excerpt ends, its
// counts go where they would be without it; an excerpt therefore costs by its own size.
//
// Excerpts are nested. Calls of the thread are in the innermost excerpt, and are added to the
// excerpts around it when it ends. Open excerpts keep their counts when a tree shrinks or its
// counts move.
//
// An excerpt stays open when its end is kept from happening. Calls of the thread are then in the
// tree that its word is in.
//
// A reader of a killed process's memory finds the trees of excerpts too: the root of each is in the
// slot in which it hangs.
//
// REQUIRES: the caller holds the lock, as for InlineTree.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cct/cct.h"
#include "cct/inplace/excerpt.h"
#include "cct/inplace/inline_tree.h"

namespace copse::cct {

class ThreadTrees {
 public:
  ThreadTrees(InlineRegion& region, const std::shared_ptr<MergedMethods>& merged)
      : region_(region), merged_(merged), own_(region, *merged) {}

  // The functions up to keep_only() do the same as InlineTree's of the same name.
  void belong_to(ThreadIndex owner, MethodId group) noexcept {
    owner_ = owner;
    group_ = group;
    own_.belong_to(owner, group);
  }
  // Root slot of the tree that the thread builds now.
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
  void note_counts(std::vector<InlineLeftOut>& counts);
  void leave_out(InlineLeftOut* counts) noexcept;
  void add_to(Cycles& cycles) const;
  void add_to(RecursionDepths& depths) const;
  // Does the same as InlineTree's across the trees, up to ROOT. std::nullopt if the slot has no context.
  std::optional<std::uint32_t> climb(std::uint64_t slot, const InlineTree::IsLeafOf& is_leaf_of,
                                     const InlineTree::KnownNode& known,
                                     std::vector<InlineTree::Above>& above) const;
  // Finds the path from ROOT to a thread whose word is `slot`, as climb() does. Returns false, with an empty path, if
  // the slot has no context. Throws std::bad_alloc.
  bool path_to(std::uint64_t slot, const InlineTree::IsLeafOf& is_leaf_of,
               std::vector<ContextKey>& path) const;
  // Does the same as InlineTree's, in the tree that has the slot.
  std::uint64_t corrected(std::uint64_t slot, const shadowstack::CodePlace& code) const;
  // Changes whenever nodes that there were may be gone, or be others.
  std::uint64_t version() const noexcept { return version_; }
  // Returns the position of a slot in the whole; std::nullopt if no tree has the slot. Throws std::bad_alloc.
  std::optional<InlineTree::Base> base_of(std::uint64_t slot) const;
  InlineTree::Totals add_to(Cct& tree, std::uint32_t most_nodes) const {
    return add_first_to(tree_count(), tree, most_nodes);
  }
  // Adds what the thread called outside of tests.
  InlineTree::Totals add_outside_tests_to(Cct& tree, std::uint32_t most_nodes) const {
    return add_first_to(count_outside_tests(), tree, most_nodes);
  }
  bool is_in_test() const noexcept { return count_outside_tests() < tree_count(); }
  InlineTree::Totals add_innermost_to(Cct& tree, std::uint32_t most_nodes) const;
  // Moves all counts; open excerpts keep theirs.
  void move_counts(InlineMove& move, InlineTree::Totals& totals);
  // Does the same for a tree that hide() follows on; gives back memory on the way (InlineTree::spend_counts()).
  void spend_counts(InlineMove& move, InlineTree::Totals& totals);
  // Returns whether spend_counts() is worth waiting for.
  bool is_large() const noexcept { return open_.empty() && own_.is_large(); }
  // `slot`: a slot of the innermost tree.
  void keep_only(std::uint64_t slot) noexcept;

  // Returns the tree with the open slice; nullptr if there is none.
  InlineTree* sliced() noexcept { return sliced_; }
  const InlineTree* sliced() const noexcept { return sliced_; }
  // Returns the tree of the innermost excerpt, or the thread's own.
  const InlineTree& innermost() const noexcept { return tree(open_.size()); }
  // Begins a slice at a frame (InlineTree::begin_slice()). Returns false if no tree can.
  bool begin_slice(std::uint64_t frame) noexcept {
    sliced_ = &with(frame);
    if (!sliced_->begin_slice(frame)) sliced_ = nullptr;
    return sliced_ != nullptr;
  }
  // Begins one in mid-frame (InlineTree::begin_slice_below()). Throws std::bad_alloc.
  bool begin_slice_below(std::uint64_t slot, std::vector<ContextNode>& scratch) {
    InlineTree& tree = with(slot);
    if (!tree.begin_slice_below(slot, scratch)) return false;
    sliced_ = &tree;
    return true;
  }
  void end_slice() noexcept {
    if (sliced_ != nullptr) sliced_->end_slice();
    sliced_ = nullptr;
  }

  // Begins an excerpt: a new tree in `slot`, or at the root if no tree has `slot`. Returns the slot
  // of the thread's next callee; 0 without memory. Cost: a chunk of 512 bytes. `unowned_calls`:
  // calls of the unowned node (inline_region.h), which counts calls without memory. `is_test`: the
  // thread is in a test until the excerpt ends.
  std::uint64_t begin_excerpt(std::uint64_t slot, std::uint64_t unowned_calls,
                              bool is_test) noexcept;
  // Returns the number of excerpts up to the one whose begin_excerpt() returned this slot; 0 means
  // that there is none.
  std::size_t excerpts_up_to(std::uint64_t root_slot) noexcept;
  // Returns the number of excerpts up to the innermost one that has the thread's word `slot`.
  // Excerpts inside it were left open: a stack overflow kept their end from happening.
  std::size_t excerpts_around(std::uint64_t slot) const noexcept;
  std::size_t excerpt_count() const noexcept { return open_.size(); }
  // Returns the innermost excerpt. Called once; drop_excerpt() follows. Throws std::bad_alloc.
  Excerpt excerpt(std::uint64_t unowned_calls);
  // Ends the innermost excerpt: its counts go to the master, and to the excerpt around it. Throws
  // std::bad_alloc: `totals` then has the counts moved until then, and the others are lost.
  void drop_excerpt(const Excerpt& excerpt, InlineMove& move, InlineTree::Totals& totals);

 private:
  struct Open {
    Open(InlineRegion& region, const MergedMethods& merged) : tree(region, merged) {}

    InlineTree tree;
    std::uint64_t base = 0;  // slot in which it hangs
    bool is_test = false;
    std::unique_ptr<Cct> moved;       // counts that left the tree; nullptr: none
    std::uint64_t calls_lost = 0;     // outside `tree` and `moved`
    std::uint64_t unowned_calls = 0;  // at its beginning
    bool is_whole = true;             // false: no memory for counts that left it
  };

  InlineTree& now() noexcept { return open_.empty() ? own_ : open_.back()->tree; }
  InlineTree& with(std::uint64_t slot) noexcept;
  // Returns a tree by number: 0 is the thread's own, the last is the innermost excerpt's.
  const InlineTree& tree(std::size_t i) const noexcept {
    return i == 0 ? own_ : open_[i - 1]->tree;
  }
  InlineTree& tree(std::size_t i) noexcept { return i == 0 ? own_ : open_[i - 1]->tree; }
  std::size_t tree_count() const noexcept { return open_.size() + 1; }
  // Returns the number of trees around the outermost excerpt of a test; that of all without one.
  std::size_t count_outside_tests() const noexcept;
  InlineTree::Totals add_first_to(std::size_t count, Cct& tree, std::uint32_t most_nodes) const;
  InlineTree::Base base_of_tree(std::size_t i) const;
  void keep_in_excerpts() noexcept;
  void keep_in(Open& open, const InlineTree::Base& base, const Excerpt& inside) const;
  Cct& moved_of(Open& open) const;
  void close_innermost() noexcept;

  InlineRegion& region_;
  const std::shared_ptr<MergedMethods> merged_;
  ThreadIndex owner_{};
  MethodId group_ = kNoMethod;
  ContextKey first_key_ = 0;  // set when an excerpt ends; 0 before
  InlineTree own_;
  InlineTree* sliced_ = nullptr;
  std::uint64_t version_ = 0;
  std::vector<std::unique_ptr<Open>> open_;  // innermost last
  std::unique_ptr<Open> spare_;
};

}  // namespace copse::cct
