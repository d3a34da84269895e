// Calling context uptree (Huang and Bond, OOPSLA'13): nodes know their parents only. Making one
// needs no look-up and never finds an existing one, so equal contexts repeat until collect() merges
// them.
//
// Node, 16 bytes: key (40 bits) and upper count bits (24), parent, lower count bits. Node 0 is
// ROOT. Threads: one at a time. Invariant: parents are older than their children.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/call_record.h"
#include "cct/cct.h"
#include "cct/inplace/kept_tree.h"
#include "shadowstack/lazy_array.h"

namespace copse::cct {

class Uptree {
 public:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;  // no node: not made, or no room
  static constexpr std::uint32_t kRoot = 0;

  // Throws std::bad_alloc.
  Uptree(shadowstack::MemorySource& memory, std::uint32_t most_nodes);

  // A new node without calls; kNone when there is no room. Cost: a store, no look-up.
  std::uint32_t add(std::uint32_t parent, ContextKey key) noexcept {
    const std::uint32_t made = kept_->totals.size;
    if (!memory_[current_].ensure(std::size_t{made} + 1)) [[unlikely]]
      return kNone;
    nodes_[made] = {key, parent, 0};
    shadowstack::in_this_order();  // what was a node here once may have counted calls
    kept_->totals.size = made + 1;
    return made;
  }
  void add_calls(std::uint32_t node, std::uint64_t calls) noexcept {
    add_calls(nodes_[node], calls);
  }

  // Garbage collection with merging: keeps the nodes that count calls, those that `roots` name and
  // their ancestors, makes one of all with the same context, closes the gaps and rewrites the
  // roots (kNone stays). One pass backwards marks, one forwards merges, since parents are older.
  // False when there is no memory for it; nothing has changed then. Cost: 15-25 ns per node.
  // What was is whole until what is takes its place, by one store for who reads it (KeptTree).
  bool collect(std::span<std::uint32_t* const> roots) noexcept;

  // Adds every node with its calls to a tree, the oldest first; only clear() may follow. Without
  // memory for it all calls are the tree's lost ones.
  void add_to(Cct& tree) noexcept;
  // Back to ROOT alone.
  void clear() noexcept { kept_->totals.size = 1; }

  // What is noted of the tree (kept_tree.h); its own, or since keep_in() where it was told to.
  KeptTree& kept() noexcept { return *kept_; }
  void keep_in(KeptTree& kept) noexcept;
  // For a reader of another process' memory: a node of those that KeptTree::nodes are.
  static constexpr std::size_t kNodeBytes = 16;
  static ContextNode node_in(const void* nodes, std::uint32_t index) noexcept;

  std::uint32_t size() const noexcept { return kept_->totals.size; }  // ROOT included
  std::uint32_t parent(std::uint32_t node) const noexcept { return nodes_[node].parent; }
  ContextKey key(std::uint32_t node) const noexcept { return nodes_[node].packed & kKeyMask; }
  std::uint64_t calls(std::uint32_t node) const noexcept {
    return (nodes_[node].packed >> kCountShift << 32) | nodes_[node].calls_low;
  }

 private:
  struct Node {
    std::uint64_t packed;
    std::uint32_t parent;
    std::uint32_t calls_low;
  };
  static_assert(sizeof(Node) == kNodeBytes);
  static constexpr int kCountShift = kDepthShift;
  // In forward_: a node that must be kept, before it has its new number.
  static constexpr std::uint32_t kMarked = 1;

  static void add_calls(Node& node, std::uint64_t calls) noexcept {
    const std::uint64_t sum = node.calls_low + calls;
    node.calls_low = static_cast<std::uint32_t>(sum);
    node.packed += sum >> 32 << kCountShift;
  }
  void mark(std::span<std::uint32_t* const> roots) noexcept;
  std::uint32_t canonical(const Node* kept, std::uint32_t node, std::uint32_t parent,
                          std::uint32_t next) noexcept;

  shadowstack::LazyArray<Node>
      memory_[2];  // the other one is where the next collection leaves its nodes
  std::size_t current_ = 0;
  Node* nodes_;
  KeptTree own_kept_;
  KeptTree* kept_ = &own_kept_;
  // Of collect() and add_to(), kept for their capacity: new number by node, and (parent, key) ->
  // node.
  std::vector<std::uint32_t> forward_;
  std::vector<std::uint32_t> canonical_;
};

inline ContextNode Uptree::node_in(const void* nodes, std::uint32_t index) noexcept {
  const Node& node = static_cast<const Node*>(nodes)[index];
  return {NodeIndex{node.parent}, node.packed & kKeyMask,
          node.packed >> kCountShift << 32 | node.calls_low};
}

}  // namespace copse::cct
