// One thread's tree in place (inline_layout.h): the operations that its probes cannot do
// themselves.
//
// Nodes are made here and never move, so probes need no lock.
//
// Where recursion is merged (merged_methods.h), a call that closes a cycle also gets a node: an
// alias of the node further up. An alias has its own counts and slots, because frames know nodes by
// address. Its slots show the callees of the aliased node, and no callee is made below it. Probes
// therefore need not know of aliases.
//
// Frames of the thread know only the nodes of live frames. These nodes are the ancestors of the
// slot in which the next callee hangs: each frame's node was placed in a slot of the frame below
// it, and a frame that ends, by an exception too, returns to a frame further down. With aliases,
// frames know these nodes, all aliases of them, and the ancestors of those aliases. When there is
// no room, keep_only() drops all other nodes.
//
// REQUIRES: the caller holds a lock. Probes of the tree's thread may run meanwhile, except during
// keep_only().
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "cct/context_tree.h"
#include "cct/cycles.h"
#include "cct/inplace/inline_move.h"
#include "cct/inplace/inline_region.h"
#include "cct/merged_methods.h"
#include "cct/recursion_depths.h"
#include "shadowstack/inlined_calls.h"

namespace copse::cct {

class InlineTree {
 public:
  InlineTree(InlineRegion& region, const MergedMethods& merged) noexcept
      : region_(region), merged_(merged) {}
  ~InlineTree() { clear(); }
  InlineTree(const InlineTree&) = delete;
  InlineTree& operator=(const InlineTree&) = delete;

  // Assigns the tree to a thread. REQUIRES: the tree is clear, and nothing else was called since.
  // `group`: the method (not one of the program's) below which all contexts hang; kNoMethod means
  // ROOT. `hangs_in`: the slot in another tree of the thread at which this tree hangs
  // (thread_trees.h); 0 means none.
  void belong_to(ThreadIndex owner, MethodId group = kNoMethod,
                 std::uint64_t hangs_in = 0) noexcept {
    owner_ = owner;
    group_ = group;
    hangs_in_ = hangs_in;
    merge_from_here();
  }

  // Returns the slot of calls without a recorded caller, below the group if there is one; 0 without
  // memory.
  std::uint64_t root_slot() noexcept;

  // Returns the node of `method` in `slot`, made with `slots` slots if need be; 0 when the bound
  // leaves no room. Cost: some 10 ns when the node exists.
  std::uint32_t place(std::uint64_t slot, MethodId method, std::uint32_t slots) noexcept;
  // Does the same, ignoring the bound. Without memory it returns the node of lost calls: its calls
  // and those of anything below it are lost. 0 without memory even for that node.
  std::uint32_t place_over_bound(std::uint64_t slot, MethodId method, std::uint32_t slots) noexcept;

  // Shows ROOT's callees in a slot of an earlier recording, so that probes find them there. The
  // thread's frame is from then; its callees hang under ROOT.
  void show_root_in(std::uint64_t slot) noexcept;
  // Hides all callees from the probes, once recording has ended. Probes of the tree's thread may
  // run meanwhile.
  void forget_callees() noexcept;

  // Hides the tree from readers of a killed process's memory: all counts were moved, and later ones
  // are not wanted.
  void hide() noexcept { show_parts(false); }

  // Returns the node of lost calls; 0 without memory for it.
  std::uint32_t place_lost() noexcept { return lost(); }

  struct Totals {
    std::uint64_t calls = 0;  // lost ones included
    std::uint64_t lost = 0;   // part of `calls`
  };

  // Position of a tree's contexts in the whole: below `path`. Contexts without a call site of their
  // own get `site`.
  struct Base {
    std::vector<ContextKey> path;  // from ROOT
    SiteOrdinal site = kNoSite;
    bool is_lost = false;  // the position has no context
  };

  // Adds all counts to a copy of the master, kept within `most_nodes`. Throws std::bad_alloc.
  Totals add_to(Cct& tree, std::uint32_t most_nodes, const Base& base) const;
  // Moves all counts and adds them to `totals`. Throws std::bad_alloc: `totals` then has the counts
  // moved until then, and the others stay.
  void move_counts(InlineMove& move, const Base& base, Totals& totals);
  // Does what move_counts() does for a tree that hangs at ROOT, and gives back the tree's memory on the way, the newest
  // nodes first: callers are older. hide(), clear() or forget() must follow. Trees that are not large, or were shrunk,
  // keep their memory until then.
  void spend_counts(InlineMove& move, Totals& totals);
  bool is_large() const noexcept { return parts_.size() > kPartsOfTwoMegabytes; }
  // Key, below ROOT, of the first call in the root slot, or of the group.
  ContextKey first_key() const noexcept { return first_key_; }
  // Returns all contexts, callers first; ROOT is the first. REQUIRES: !has_aliases(). Throws
  // std::bad_alloc.
  std::vector<ContextNode> contexts() const;
  bool has_aliases() const noexcept { return !aliases_.empty(); }
  // Calls without room; they are in no context.
  std::uint64_t calls_lost() const noexcept { return lost_ == 0 ? 0 : calls(lost_); }
  // Appends all counts, for leave_out(). Throws std::bad_alloc.
  void note_counts(std::vector<InlineLeftOut>& counts);
  // Leaves the counts noted last out of all that follows. `counts`: a copy of those that
  // note_counts() appended to, in memory that outlives the tree. REQUIRES: no count was moved since.
  void leave_out(InlineLeftOut* counts) noexcept;
  // Returns the position of a callee in this slot of the tree. Throws std::bad_alloc.
  Base base_of(std::uint64_t slot) const;

  // Slices (inline_slices.h). REQUIRES of these functions: InlineRegion::keep_seen_calls() returned true.
  //
  // Begins a slice at the frame with this first slot, which has just been entered: its earlier calls and those below it
  // are seen. Until end_slice(), recursion is not merged across it. Returns false for a frame that is not of this tree
  // or is an alias.
  bool begin_slice(std::uint64_t frame) noexcept;
  // Begins a slice in mid-frame, at the slot of the thread's next callee: all calls below the frame are seen. Returns
  // false as begin_slice() does. `scratch`: memory. Throws std::bad_alloc; there is no slice then. Cost: that of a pass over
  // the contexts that were called since the last slice there; over all of them if counts were moved meanwhile.
  bool begin_slice_below(std::uint64_t slot, std::vector<ContextNode>& scratch);
  void end_slice() noexcept { slice_ = inside_ = 0; }
  // Returns whether a slot is that of the open slice's node. REQUIRES: has(slot).
  bool is_at_slice(std::uint64_t slot) const noexcept { return region_.node_with(slot) == slice_; }
  // Returns whether the frame in which the open slice began in mid-frame has ended, since another one has its node. Not
  // known, and false, where recursion is merged.
  bool has_left_slice() const noexcept {
    return aliases_.empty() && calls_of(region_.node(slice_)) != top_seen_;
  }
  // Notes that passes have seen calls below frames that go on.
  void doubts_seen_calls() noexcept { ++moves_; }
  // Returns whether a frame with this slot runs inside the open slice, and did not begin it. Cost: a step for each frame
  // between this one and the last one that was asked about.
  bool is_inside_slice(std::uint64_t frame) noexcept;
  // Sets `taken` to the contexts of the open slice with the calls that were not seen yet, callers first; sees these calls.
  // kCalled passes over nodes without new calls: below them nothing is new, unless counts were moved since the slice
  // began. Returns false if merged recursion has some of its calls in contexts outside it. Throws std::bad_alloc; some
  // calls are then missing, or not seen.
  enum class Reach { kCalled, kAll };
  bool take_new_calls(Reach reach, std::vector<ContextNode>& taken);
  // Returns the node of the open slice; 0: there is none.
  std::uint32_t slice() const noexcept { return slice_; }
  // Returns whether the open slice can be followed further, after keep_only().
  bool keeps_slice(std::uint64_t slot) noexcept {
    return !is_alias(slice_) && (region_.node_with(slot) == slice_ || is_inside_slice(slot));
  }

  // Drops the nodes that no live frame can have, and merges recursion of the methods merged by now.
  // `slot`: the slot of the thread's next callee. Does nothing when the slot is not in this tree,
  // or without memory for the work. REQUIRES: move_counts() was called. Called by: the tree's
  // thread.
  void keep_only(std::uint64_t slot) noexcept;

  // Returns true if methods were merged since the tree was made or keep_only() was last called.
  // Their recursion in the tree is not merged yet.
  bool is_behind() const noexcept { return merged_.version() != merged_version_; }
  // Merges recursion from now on, without keep_only(). The contexts that become one may then depend
  // on the existing nodes.
  void merge_from_here() noexcept { merged_version_ = merged_.version(); }

  // Returns true if a callee called at that site leaves the thread's slot as it is.
  using IsLeafOf = std::function<bool(MethodId caller, SiteOrdinal site, MethodId callee)>;

  // A node above a frame, or the frame's own. `number` 0: a leaf.
  struct Above {
    std::uint32_t number;
    ContextKey key;
  };
  // Node of a column for a node of a tree; 0 if it is not known.
  using KnownNode = std::function<std::uint32_t(std::uint32_t number)>;
  // Appends the nodes on the way from a thread whose word is `slot` to this tree's root, aliases replaced by the nodes
  // that they stand for: the callee that leaves the slot as it is (of several, the one with the most calls), the frame of
  // the slot, its callers. Stops before the first node that `known` knows, and returns what it knows; 0 at the root.
  // Returns std::nullopt when the slot belongs to no node. Throws std::bad_alloc. Cost: a look-up per node.
  std::optional<std::uint32_t> climb(std::uint64_t slot, const IsLeafOf& is_leaf_of,
                                     const KnownNode& known, std::vector<Above>& above) const;
  // Appends the keys of such nodes, outermost first. Throws std::bad_alloc.
  static void append_path(const std::vector<Above>& above, std::vector<ContextKey>& path);

  // Returns the first slot of the node for the context in which a thread runs `code`. `slot`: its word. Returns `slot` if
  // `code` does not tell, or the slot belongs to no node. Throws std::bad_alloc.
  std::uint64_t corrected(std::uint64_t slot, const shadowstack::CodePlace& code) const;

  // Returns the call site of a slot; kNoSite for root slots and those of no node.
  SiteOrdinal site_of(std::uint64_t slot) const noexcept;

  // Returns true for slots of the tree's nodes, except those of lost calls, which do not tell the
  // live frames.
  bool has(std::uint64_t slot) const noexcept;
  // Returns true for slots of the tree's nodes, those of lost calls included.
  bool knows(std::uint64_t slot) const noexcept { return has(slot) || is_lost(slot); }

  // Bytes of the nodes made since the last keep_only(), and of the nodes that it kept.
  std::uint64_t made_bytes() const noexcept { return made_bytes_; }
  std::uint64_t kept_bytes() const noexcept { return kept_bytes_; }
  // Approximate number of nodes.
  std::uint64_t node_count() const noexcept { return node_count_; }

  // Adds every context: all nodes that are not aliases. Throws std::bad_alloc.
  void add_to(Cycles& cycles) const;
  // Adds every node, aliases included; the callees of an alias hang at the aliased node. Throws
  // std::bad_alloc.
  void add_to(RecursionDepths& depths) const;

  // Gives back all memory. REQUIRES: the thread runs no more probes on the tree.
  void clear() noexcept;
  // Forgets the tree after its region was emptied. Probes of the thread then find no nodes.
  void forget() noexcept;

 private:
  struct Part {
    InlineRegion::Chunk chunk;
    std::uint64_t used = 0;
  };
  // Free memory among kept nodes, by address.
  struct Gap {
    std::uint64_t begin, end;
  };

  using Numbers = std::vector<std::uint32_t>;
  // A kept node, and the node in whose slot it hangs.
  struct Kept {
    std::uint32_t number;
    std::uint32_t parent;
  };

  static constexpr std::size_t kPartsOfTwoMegabytes = 12;  // the first ones double in size

  // Bytes of an entry in the table of aliases.
  static constexpr std::int64_t kAliasBytes = 40;

  // A node on the path from the root, and a walk's position among its callees.
  struct Step;
  // The master's nodes for the nodes of a tree that is being spent.
  class MasterNodes;
  void move_lost(InlineMove& move, Totals& totals);
  // Moves a node's calls to the master's node that `theirs()` returns, if there are any.
  template <typename Theirs>
  void move_calls(std::uint32_t number, InlineMove& move, Totals& totals, Theirs theirs);
  // Calls visit(path) for every node in pre-order; `path` runs from the root's node to the node at
  // hand.
  template <typename Visit>
  void walk(Visit visit) const;
  std::uint32_t next_callee(Step& step) const;
  bool shows_slice(std::uint32_t alias) noexcept;
  ContextKey leaf_in(std::uint32_t caller, std::uint64_t slot, const IsLeafOf& is_leaf_of) const;
  std::uint32_t find(std::uint64_t slot, MethodId method, std::size_t& listed) const noexcept;
  void bring_forward(std::uint64_t slot, std::uint32_t callee) noexcept;
  std::uint32_t add(std::uint64_t slot, MethodId method, std::uint32_t slots,
                    std::size_t listed) noexcept;
  InlineNode* make(MethodId method, std::uint64_t slot, std::uint32_t slots) noexcept;
  void make_entry() noexcept;
  InlineNode* room_for(std::uint64_t bytes) noexcept;
  std::uint64_t room_in_gaps(std::uint64_t bytes) noexcept;
  static bool fits(const Gap& gap, std::uint64_t bytes) noexcept;
  static void mark_gap(std::uint64_t begin, std::uint64_t end) noexcept;
  bool add_part(std::uint64_t least_bytes) noexcept;
  std::uint32_t place_merged(std::uint64_t slot, MethodId method, std::uint32_t slots) noexcept;
  bool is_alias(std::uint32_t number) const noexcept {
    return !aliases_.empty() && aliases_.contains(number);
  }
  std::uint32_t self_or_aliased(std::uint32_t number) const noexcept;
  bool merges(MethodId method) const noexcept { return merged_.has(method) && !is_behind(); }
  std::uint32_t on_path(std::uint32_t number, MethodId method) const noexcept;
  std::uint64_t own_slot(std::uint64_t slot) const noexcept;
  std::uint64_t same_slot(std::uint64_t slot, std::uint32_t from, std::uint32_t to) const noexcept;
  std::vector<Kept> nodes_of_live_frames(std::uint64_t slot) const;
  void drop_all_but(std::span<const std::uint32_t> kept) noexcept;
  void hang_again(std::span<const Kept> kept) noexcept;
  void add_gaps(const Part& part, std::span<const std::uint32_t> kept) noexcept;
  void show_parts(bool shown) noexcept;
  void forget_aliases() noexcept;
  void hide_root() noexcept;
  std::uint32_t lost() noexcept;
  // Returns the entry of a node's calls that are left out; nullptr if there are none.
  InlineLeftOut* left_out(std::uint32_t number) const noexcept;
  std::uint64_t calls(std::uint32_t number) const noexcept;
  // Returns true for slots of the node of lost calls.
  bool is_lost(std::uint64_t slot) const noexcept;
  std::uint64_t slot_address(const InlineNode& node, std::uint32_t slot) const noexcept;
  // Returns true if a slot's first callee is a table. REQUIRES: `number` is not 0.
  bool is_table(std::uint32_t number) const noexcept { return region_.node(number).method == 0; }
  std::uint32_t in_table(const InlineNode& table, MethodId method) const noexcept;
  std::uint32_t make_table(std::uint64_t slot, std::uint32_t callees) noexcept;
  void put_in_table(InlineNode& table, std::uint32_t callee) noexcept;

  InlineRegion& region_;
  const MergedMethods& merged_;
  std::uint32_t merged_version_ = 0;
  ThreadIndex owner_{};
  std::vector<Part> parts_;  // the last one gives new nodes
  std::vector<Gap> gaps_;    // tried for new nodes before parts_
  std::uint64_t made_bytes_ = 0;
  std::uint64_t kept_bytes_ = 0;
  std::uint64_t node_count_ = 0;
  bool over_bound_ = false;  // new parts may exceed the region's bound
  int next_log_ = InlineRegion::kLeastLog;
  MethodId group_ = kNoMethod;
  std::uint64_t hangs_in_ = 0;
  std::uint32_t root_ = 0;
  std::uint32_t entry_ = 0;     // node with the root slot: the root, or the group's
  std::uint32_t lost_ = 0;      // node of lost calls, with every possible slot; 0: none yet
  std::uint32_t slice_ = 0;     // node of the open slice; 0: none
  std::uint32_t inside_ = 0;    // node inside it that was asked about last; 0: none
  std::uint64_t top_seen_ = 0;  // calls of the slice's node that were seen
  // Node below which everything was seen last, in mid-frame, after so many moves of counts; 0: none.
  std::uint32_t seen_below_ = 0;
  std::uint64_t seen_at_ = 0;
  std::uint64_t moves_ =
      0;  // of counts, and what else leaves new calls below nodes without new ones
  ContextKey first_key_ = 0;
  std::vector<std::uint64_t> root_shown_in_;  // slots, ascending
  // Noted counts, as a part of all; and calls that are left out, by node.
  std::size_t noted_from_ = 0, noted_to_ = 0;
  std::span<InlineLeftOut> left_out_;
  // Aliases and the nodes that they stand for, which are never aliases.
  std::unordered_map<std::uint32_t, std::uint32_t> aliases_;
};

}  // namespace copse::cct
