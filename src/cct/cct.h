// Calling context tree, unbounded form (Ammons, Ball, Larus, PLDI'97): one node per distinct
// context. Workers' delta trees and the master tree are both of this class.
//
// Node, 20 bytes, numbered in order of creation:
//
//   offset size field
//        0    8 packed     key (40 bits) | 32 - log2 of the child table's size (6) | upper bits of
//                          the count (18)
//        8    4 parent
//       12    4 calls_low
//       16    4 children   no table (shift 32): the only child, 0 if none; else index of the table
//
// A child table is a power of two of node numbers, probed linearly from the key's hash. A small
// table grows until its keys do not collide, but never beyond four times its children. A large
// table grows when a probe gets long. A look-up therefore almost always reads one table entry and
// one node; a node with 100,000 children costs no more per call than one with two.
//
// evict_above() bounds a tree: it replaces whole subtrees, the coldest first, by one node of
// kEvictedKey below their parent. That node holds all their calls (cct_evict.cpp).
//
// Without room, child() returns the overflow node, which is not part of the tree. Calls added to
// the overflow node or below it are counted in calls_lost().
//
// Not thread-safe. Invariants: parent < own number; siblings differ in key.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "base/call_record.h"
#include "cct/context_tree.h"
#include "cct/cycles.h"
#include "cct/kept_tree.h"
#include "cct/merged_methods.h"
#include "cct/recursion_depths.h"
#include "shadowstack/lazy_array.h"

namespace copse::cct {

class Cct final : public ContextTree {
  struct Node;

 public:
  static constexpr std::uint32_t kMostNodes = (1u << 31) - 1;
  // Returned by child() when there is no room.
  static constexpr std::uint32_t kOverflowNode = 0xFFFF'FFFF;

  // Makes a tree of at most `most_nodes` nodes; calls of further contexts are lost and counted.
  // Child tables are in `table_memory`; nullptr means beside the nodes.
  explicit Cct(shadowstack::MemorySource& memory = shadowstack::anonymous_memory(),
               std::uint32_t most_nodes = kMostNodes,
               shadowstack::MemorySource* table_memory = nullptr);

  // State of the tree for a reader of a killed process's memory (kept_tree.h). It lies in the tree
  // itself until keep_in() moves it to `kept`.
  KeptTree& kept() noexcept { return *kept_; }
  void keep_in(KeptTree& kept) noexcept;

  // The tree for a loop over calls: copies of the addresses that the loop needs, which a compiler
  // can keep in registers. The addresses never change while the tree lives.
  class Placer {
   public:
    explicit Placer(Cct& tree) noexcept : nodes_(tree.nodes_), tables_(tree.tables_), tree_(tree) {}

    // Returns the child of `parent` (not kOverflowNode) with `key` (not 0), made if need be. Cost:
    // 2-6 ns in the caches; one or two misses beyond them.
    std::uint32_t child(std::uint32_t parent, ContextKey key) noexcept;
    // Split child() in two steps, so that a loop can interleave them, and count one call.
    // likely_child() returns the child unless siblings collide or the child is new; call() does the
    // rest.
    std::uint32_t likely_child(std::uint32_t parent, ContextKey key) const noexcept;
    std::uint32_t call(std::uint32_t parent, ContextKey key, std::uint32_t likely) noexcept;

   private:
    bool has_key(std::uint32_t node, ContextKey key) const noexcept;

    Node* const nodes_;
    const std::uint32_t* const tables_;
    Cct& tree_;
  };

  std::uint32_t child(std::uint32_t parent, ContextKey key) noexcept {
    return Placer(*this).child(parent, key);
  }
  // Returns the nearest node of the key's method from `parent` up if recursion of that method is
  // merged and there is such a node; else child(). Equal to child() without merge_recursion_of().
  std::uint32_t callee(std::uint32_t parent, ContextKey key) noexcept;

  // Merges recursion of `methods` in calls from now on. Existing nodes stay as they are until
  // merge_recursion().
  void merge_recursion_of(std::shared_ptr<const MergedMethods> methods) noexcept {
    merged_ = std::move(methods);
  }
  // Merges recursion in the existing nodes: nodes move, and the counts of nodes that become one are
  // added. Takes working memory from `beside`. Without memory nodes stay as they are and merged()
  // reports it until a later merge succeeds. Cost: a few linear passes.
  void merge_recursion(
      shadowstack::MemorySource& beside = shadowstack::anonymous_memory()) noexcept;
  bool is_left_full() const noexcept { return is_left_full_; }
  // Add every context. Throw std::bad_alloc.
  void add_to(Cycles& cycles) const;
  void add_to(RecursionDepths& depths) const;

  // Returns the child of `parent` with `key`; 0 means none.
  std::uint32_t find(std::uint32_t parent, ContextKey key) const noexcept;

  // Returns the node that has the calls of callee(parent, key): itself, the node of evicted contexts in its place, or
  // kOverflowNode if there is neither. `parent` may be a result of this function.
  std::uint32_t find_callee(std::uint32_t parent, ContextKey key) const noexcept;

  void add_calls(std::uint32_t node, std::uint64_t calls) noexcept;

  // Adds every node of `other`, with its calls, as callee() does. Spends `other`: only clear() may
  // follow. Cost: one linear pass, since parents come first.
  void merge(Cct& other) noexcept;

  // Evicts the coldest subtrees if there are more than `most` nodes, or tables for that many, until
  // three quarters of `most` remain. Keeps the nodes in `live` and their ancestors in any case.
  // Returns true if it evicted; node numbers have then changed, and `live` holds the new ones.
  // Returns false also when there is no memory for the work. Cost: a few linear passes, some 100 ns
  // per node; at most once per quarter of new nodes.
  bool evict_above(std::uint32_t most, std::span<std::uint32_t> live = {}) noexcept;

  // Returns an independent tree with the same bound. Throws std::bad_alloc.
  std::unique_ptr<Cct> copy() const;

  // Returns true if evict_above() would evict.
  bool is_above(std::uint32_t most, bool with_live_nodes) const noexcept;

  // Gives back the child tables. Only functions that name nodes by number may follow: parent(), key(), calls(), node().
  void forget_tables() noexcept { table_memory_.forget(); }

  // Removes all nodes but ROOT. Keeps the memory for the next use.
  void clear() noexcept;
  // Gives back all memory, and leaves KeptTree alone. The tree can only be destroyed.
  void release() noexcept {
    node_memory_.release();
    table_memory_.release();
  }

  std::uint64_t calls_lost() const noexcept { return totals().calls_lost; }
  std::uint32_t parent(std::uint32_t node) const noexcept { return nodes_[node].parent; }
  ContextKey key(std::uint32_t node) const noexcept { return nodes_[node].packed() & kKeyMask; }
  std::uint64_t calls(std::uint32_t node) const noexcept {
    return (nodes_[node].packed() >> kCountShift << 32) | nodes_[node].calls_low;
  }

  std::uint32_t node_count() const noexcept override { return totals().size; }
  ContextNode node(NodeIndex index) const noexcept override { return node_in(nodes_, raw(index)); }
  std::uint64_t memory_bytes() const noexcept;  // allocated, reserve excluded
  Evicted evicted() const noexcept override { return totals().evicted; }
  MergedRecursion merged() const override;
  // Sets the eviction totals of a copied tree.
  void count_evicted(Evicted evicted) noexcept { totals().evicted = evicted; }

  // Size and decoder of a node in KeptTree::nodes, for readers of another process's memory.
  static constexpr std::size_t kNodeBytes = 20;
  static ContextNode node_in(const void* nodes, std::uint32_t index) noexcept;

 private:
  struct Node {
    std::uint32_t packed_words[2];  // two halves, so that a node needs no padding
    std::uint32_t parent;
    std::uint32_t calls_low;
    std::uint32_t children;

    std::uint64_t packed() const noexcept {
      std::uint64_t value;
      __builtin_memcpy(&value, packed_words, sizeof value);
      return value;
    }
    void set_packed(std::uint64_t value) noexcept {
      __builtin_memcpy(packed_words, &value, sizeof value);
    }
    void add_to_packed(std::uint64_t value) noexcept { set_packed(packed() + value); }
  };
  static_assert(sizeof(Node) == kNodeBytes && alignof(Node) == 4);

  static constexpr int kTableShift = kDepthShift;      // bits above the key
  static constexpr int kCountShift = kTableShift + 6;  // counts up to 2^50
  static constexpr std::uint32_t kNoTable = 32;
  static constexpr std::uint64_t kMostTableEntries = std::uint64_t{1} << 32;

  static std::uint32_t shift_of(std::uint64_t packed) noexcept {
    return static_cast<std::uint32_t>(packed >> kTableShift) & 63;
  }
  // Takes the product's upper 32 bits, the well-mixed ones. A table of 2^n entries uses the first n
  // of them.
  static std::uint64_t hash(ContextKey key) noexcept {
    return (key * 0x9E37'79B9'7F4A'7C15u) >> 32;
  }

  TreeTotals& totals() noexcept { return kept_->totals; }
  const TreeTotals& totals() const noexcept { return kept_->totals; }
  std::uint32_t find_or_add(std::uint32_t parent, ContextKey key) noexcept;
  std::uint32_t merged_into(std::uint32_t node, MethodId method) const noexcept;
  std::uint32_t call_slowly(std::uint32_t parent, ContextKey key, std::uint32_t tried) noexcept;
  bool attach(std::uint32_t parent, std::uint32_t child) noexcept;
  int log_without_collision(std::span<const std::uint32_t> siblings, int least,
                            int most) const noexcept;
  bool grow_table(std::uint32_t parent, int log, std::span<const std::uint32_t> siblings) noexcept;
  bool grow_wide_table(std::uint32_t parent, int log) noexcept;
  void replace_table(std::uint32_t parent, std::uint32_t table, int log) noexcept;
  std::uint32_t take_table(int log) noexcept;
  bool insert(std::uint32_t table, int log, std::uint32_t child, std::uint32_t longest) noexcept;

  struct Cut;  // nodes to evict; this and the next 7 functions: cct_evict.cpp
  Cut choose_cut(std::uint32_t most) noexcept;
  std::uint32_t newest_that_stays(const Cut& cut, std::int64_t kept, std::uint32_t most) noexcept;
  void sum_inclusive(std::span<const std::uint32_t> live) noexcept;
  void remove_below(const Cut& cut) noexcept;
  void add_to_evicted(std::uint32_t parent, std::uint64_t calls, std::uint32_t& size) noexcept;
  void move_node(std::uint32_t from, std::uint32_t to, std::uint32_t parent) noexcept;
  void list_children_again(std::uint64_t used_entries) noexcept;

  // Addresses of the arrays, copied for the fast path; constant.
  Node* nodes_;
  std::uint32_t* tables_;
  const std::uint32_t most_nodes_;
  std::shared_ptr<const MergedMethods> merged_;
  bool is_left_full_ = false;  // MergedRecursion::is_left_full
  KeptTree own_kept_;
  KeptTree* kept_ = &own_kept_;
  std::uint32_t evicted_to_ = 0;  // nodes after the last eviction

  shadowstack::LazyArray<Node> node_memory_;
  shadowstack::LazyArray<std::uint32_t> table_memory_;
  std::uint64_t table_entries_ = 1;              // entry 0 is not used: 0 is "no table"
  std::array<std::uint32_t, 33> free_tables_{};  // by log; linked through the first entry
};

inline ContextNode Cct::node_in(const void* nodes, std::uint32_t index) noexcept {
  const Node& node = static_cast<const Node*>(nodes)[index];
  const std::uint64_t packed = node.packed();
  return {NodeIndex{node.parent}, packed & kKeyMask, packed >> kCountShift << 32 | node.calls_low};
}

inline std::uint32_t Cct::Placer::likely_child(std::uint32_t parent,
                                               ContextKey key) const noexcept {
  const Node& above = nodes_[parent];
  const std::uint64_t packed = above.packed();
  // Chosen by arithmetic: the branch "is there a table" cannot be predicted and costs half as much
  // again per call. kNoTable is the shift's highest bit, spread here over the word.
  const std::uint64_t no_table =
      static_cast<std::uint64_t>(static_cast<std::int64_t>(packed << (63 - kTableShift - 5)) >> 63);
  const std::uint64_t only_child = reinterpret_cast<std::uint64_t>(&above.children);
  const std::uint64_t in_table = reinterpret_cast<std::uint64_t>(
      tables_ + above.children + (hash(key) >> ((packed >> kTableShift) & 63)));
  return *reinterpret_cast<const std::uint32_t*>(in_table ^ ((in_table ^ only_child) & no_table));
}

inline bool Cct::Placer::has_key(std::uint32_t node, ContextKey key) const noexcept {
  return (nodes_[node].packed() ^ key) << (64 - kDepthShift) == 0;
}

inline std::uint32_t Cct::Placer::child(std::uint32_t parent, ContextKey key) noexcept {
  const std::uint32_t found = likely_child(parent, key);
  return has_key(found, key) ? found : tree_.find_or_add(parent, key);
}

inline std::uint32_t Cct::Placer::call(std::uint32_t parent, ContextKey key,
                                       std::uint32_t likely) noexcept {
  Node& target = nodes_[likely];
  if (has_key(likely, key) && ++target.calls_low != 0) [[likely]]
    return likely;
  return tree_.call_slowly(parent, key, likely);
}

}  // namespace copse::cct
