// One thread's tree in place (inline_layout.h): what its probes cannot do by themselves.
//
// Nodes are made here and never move, so probes need no lock.
//
// Where recursion is merged (merged_methods.h), a call that closes a cycle gets a node too, an
// alias of the one further up: it has counts of its own, and slots, because frames know nodes by
// address. Its slots show the callees of the other's, and no callee is made below it. So probes
// need not know that there are aliases.
//
// What the thread's frames know of the tree are the nodes of live frames, and these are the
// ancestors of the slot in which the next callee hangs: each frame's node was placed in a slot of
// the frame below it, and whatever ends a frame, an exception too, goes on with a frame further
// down. With aliases it is those and all aliases of them, with their ancestors. So when there is no
// room, keep_only() drops all other nodes.
//
// Threads: the caller's lock; probes of the tree's thread may run meanwhile, but not during
// keep_only().
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "cct/context_tree.h"
#include "cct/inplace/cycles.h"
#include "cct/inplace/inline_move.h"
#include "cct/inplace/inline_region.h"
#include "cct/inplace/recursion_depths.h"
#include "cct/merged_methods.h"

namespace copse::cct {

class InlineTree {
 public:
  InlineTree(InlineRegion& region, const MergedMethods& merged) noexcept
      : region_(region), merged_(merged) {}
  ~InlineTree() { clear(); }
  InlineTree(const InlineTree&) = delete;
  InlineTree& operator=(const InlineTree&) = delete;

  // Before anything else, of a tree that is clear: the thread it is of. `group`: what its contexts
  // hang below, a method that the program has not; kNoMethod: ROOT. `hangs_in`: a slot of another
  // tree of the thread's, in whose place this one stands (thread_trees.h); 0: none.
  void belong_to(ThreadIndex owner, MethodId group = kNoMethod,
                 std::uint64_t hangs_in = 0) noexcept {
    owner_ = owner;
    group_ = group;
    hangs_in_ = hangs_in;
    merge_from_here();
  }

  // Where calls without a recorded caller hang, below the group if there is one; 0 when there is no
  // memory.
  std::uint64_t root_slot() noexcept;

  // The node of `method` in `slot`, made with `slots` slots if need be; 0 when there is no room for
  // it within the bound. Cost: some ten ns when it is there.
  std::uint32_t place(std::uint64_t slot, MethodId method, std::uint32_t slots) noexcept;
  // The same beyond the bound. When there is no memory either, the node of what is lost: its calls,
  // and all that would hang below, are lost. 0 when there is not even memory for that one.
  std::uint32_t place_over_bound(std::uint64_t slot, MethodId method, std::uint32_t slots) noexcept;

  // A call through a slot of a recording before this one: the thread's frame is from then, and what
  // it calls hangs under ROOT. Shows ROOT's callees in the slot, so that probes find them there.
  void show_root_in(std::uint64_t slot) noexcept;
  // Of a recording that has ended: from now on no slot shows a callee. Probes of the tree's thread
  // may run meanwhile.
  void forget_callees() noexcept;

  // All counts were moved, and the thread goes on counting what nobody wants: who reads the memory
  // of a killed process skips it.
  void hide() noexcept { show_parts(false); }

  // The node of what is lost; 0 when there is not even memory for it.
  std::uint32_t place_lost() noexcept { return lost(); }

  struct Totals {
    std::uint64_t calls = 0;  // lost ones included
    std::uint64_t lost = 0;   // of these
  };

  // Where a tree's contexts hang in the whole: below the path, those without a call site of their
  // own at this one.
  struct Base {
    std::vector<ContextKey> path;  // from ROOT
    SiteOrdinal site = kNoSite;
    bool is_lost = false;  // what hangs there has no context
  };

  // Adds all counts to a copy of the master, which is kept within `most_nodes`. Throws
  // std::bad_alloc.
  Totals add_to(Cct& tree, std::uint32_t most_nodes, const Base& base) const;
  // Moves all counts. Throws std::bad_alloc: what was moved until then was added to `totals`, the
  // rest stays.
  void move_counts(InlineMove& move, const Base& base, Totals& totals);
  // Below ROOT: of the first call in the root slot, or of the group.
  ContextKey first_key() const noexcept { return first_key_; }
  // All contexts, callers first; ROOT is the first. Not of a tree with aliases, whose contexts are
  // not its nodes. Throws std::bad_alloc.
  std::vector<ContextNode> contexts() const;
  bool has_aliases() const noexcept { return !aliases_.empty(); }
  // Calls that found no room; they are in no context.
  std::uint64_t calls_lost() const noexcept {
    return lost_ == 0 ? 0 : calls_of(region_.node(lost_));
  }
  // Where a callee hangs in this slot of the tree. Throws std::bad_alloc.
  Base base_of(std::uint64_t slot) const;

  // After move_counts(): drops the nodes that no live frame can have, `slot` being that in which
  // the thread's next callee hangs, and merges what is left as merged methods ask now. Does nothing
  // when the slot is not in this tree, or without memory for the work. Called by: the tree's
  // thread.
  void keep_only(std::uint64_t slot) noexcept;

  // Whether methods were merged since the tree was made, or keep_only() was called. Their recursion
  // is full in it until then.
  bool is_behind() const noexcept { return merged_.version() != merged_version_; }
  // Merges it without keep_only(): which contexts become one may then depend on what is there.
  void merge_from_here() noexcept { merged_version_ = merged_.version(); }

  // Whether a callee that its caller's call site calls leaves the slot as it is.
  using IsLeafOf = std::function<bool(MethodId caller, SiteOrdinal site, MethodId callee)>;

  // The path from ROOT to where a thread is that has this slot for its word, aliases replaced by what they
  // stand for; the empty one of a root slot. That is the frame that the slot is of, and below it
  // what leaves the slot as it is: of several the one with the most calls. False when the slot is
  // of none of the nodes. Throws std::bad_alloc. Cost: a look-up per method on the path.
  bool path_to(std::uint64_t slot, const IsLeafOf& is_leaf_of, std::vector<ContextKey>& path) const;

  // Whether the slot is of one of the nodes, those of what is lost left out: which frames are live
  // such a slot does not tell.
  bool has(std::uint64_t slot) const noexcept;
  // The same with those of what is lost.
  bool knows(std::uint64_t slot) const noexcept { return has(slot) || is_lost(slot); }

  // Bytes of nodes made since the last keep_only(), and of those that it kept.
  std::uint64_t made_bytes() const noexcept { return made_bytes_; }
  std::uint64_t kept_bytes() const noexcept { return kept_bytes_; }
  // There are about as many.
  std::uint64_t node_count() const noexcept { return node_count_; }

  // Tells of every context: nodes that are no alias. Throws std::bad_alloc.
  void add_to(Cycles& cycles) const;
  // Tells of every node: what a frame of an alias has below it is where the alias's node is.
  void add_to(RecursionDepths& depths) const;

  // Gives back all memory. The thread must not run probes on it any more.
  void clear() noexcept;
  // The region was emptied: there is no tree any more, and probes of its thread find none.
  void forget() noexcept;

 private:
  struct Part {
    InlineRegion::Chunk chunk;
    std::uint64_t used = 0;
  };
  // Free memory among nodes that were kept: addresses.
  struct Gap {
    std::uint64_t begin, end;
  };

  using Numbers = std::vector<std::uint32_t>;
  // A node that is kept, and the one in whose slot it hangs.
  struct Kept {
    std::uint32_t number;
    std::uint32_t parent;
  };

  // Of an entry of the table of aliases.
  static constexpr std::int64_t kAliasBytes = 40;

  // A node on the way from the root, and where among its callees a walk is.
  struct Step;
  // Every node in pre-order: visit(path), the root's node first and the node at hand last.
  template <typename Visit>
  void walk(Visit visit) const;
  std::uint32_t next_callee(Step& step) const;
  ContextKey leaf_in(std::uint32_t caller, std::uint64_t slot, const IsLeafOf& is_leaf_of) const;
  std::uint32_t find(std::uint64_t slot, MethodId method, std::size_t& listed) noexcept;
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
  std::uint64_t same_slot(std::uint64_t slot, std::uint32_t from, std::uint32_t to) const noexcept;
  std::vector<Kept> nodes_of_live_frames(std::uint64_t slot) const;
  void drop_all_but(std::span<const std::uint32_t> kept) noexcept;
  void hang_again(std::span<const Kept> kept) noexcept;
  void add_gaps(const Part& part, std::span<const std::uint32_t> kept) noexcept;
  void show_parts(bool shown) noexcept;
  void forget_aliases() noexcept;
  void hide_root() noexcept;
  std::uint32_t lost() noexcept;
  bool is_lost(std::uint64_t slot) const noexcept;
  std::uint64_t slot_address(const InlineNode& node, std::uint32_t slot) const noexcept;
  // Of a slot's first callee; not 0.
  bool is_table(std::uint32_t number) const noexcept { return region_.node(number).method == 0; }
  std::uint32_t in_table(const InlineNode& table, MethodId method) const noexcept;
  std::uint32_t make_table(std::uint64_t slot, std::uint32_t callees) noexcept;
  void put_in_table(InlineNode& table, std::uint32_t callee) noexcept;

  InlineRegion& region_;
  const MergedMethods& merged_;
  std::uint32_t merged_version_ = 0;
  ThreadIndex owner_{};
  std::vector<Part> parts_;  // new nodes come from the last one
  std::vector<Gap> gaps_;    // and, before that, from these
  std::uint64_t made_bytes_ = 0;
  std::uint64_t kept_bytes_ = 0;
  std::uint64_t node_count_ = 0;
  bool over_bound_ = false;  // parts may be taken beyond the region's bound
  int next_log_ = InlineRegion::kLeastLog;
  MethodId group_ = kNoMethod;
  std::uint64_t hangs_in_ = 0;
  std::uint32_t root_ = 0;
  std::uint32_t entry_ = 0;  // the node that the root slot is of: the root's, or the group's
  std::uint32_t lost_ = 0;   // the node of what is lost, of every possible slot; 0: none yet
  ContextKey first_key_ = 0;
  std::vector<std::uint64_t> root_shown_in_;  // slots; ascending
  // Aliases, and the nodes they are aliases of, which are none themselves.
  std::unordered_map<std::uint32_t, std::uint32_t> aliases_;
};

}  // namespace copse::cct
