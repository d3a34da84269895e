// Calling context uptree (Huang and Bond, OOPSLA'13): nodes know their parents only. Adding a node
// needs no look-up and never finds an existing node, so equal contexts repeat until collect()
// merges them.
//
// Node, 16 bytes: key (40 bits) and upper count bits (24), parent, lower count bits. Node 0 is
// ROOT. Not thread-safe. Invariant: parents are older than their children.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/call_record.h"
#include "cct/cct.h"
#include "cct/kept_tree.h"
#include "shadowstack/lazy_array.h"

namespace copse::cct {

class Uptree {
 public:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;  // no node yet, or no room
  static constexpr std::uint32_t kRoot = 0;

  // Throws std::bad_alloc.
  Uptree(shadowstack::MemorySource& memory, std::uint32_t most_nodes);

  // Adds a node without calls; returns kNone without room. Cost: a store, no look-up.
  std::uint32_t add(std::uint32_t parent, ContextKey key) noexcept {
    const std::uint32_t made = kept_->totals.size;
    if (!memory_[current_].ensure(std::size_t{made} + 1)) [[unlikely]]
      return kNone;
    nodes_[made] = {key, parent, 0};
    shadowstack::in_this_order();  // an earlier node here may have counted calls
    kept_->totals.size = made + 1;
    return made;
  }
  void add_calls(std::uint32_t node, std::uint64_t calls) noexcept {
    add_calls(nodes_[node], calls);
  }

  // Collects garbage and merges: keeps the nodes that count calls or are in `roots`, and their
  // ancestors, makes one of all with the same context, closes the gaps and rewrites the roots
  // (kNone stays). One pass backwards marks, one forwards merges, since parents are older. Returns
  // false, with nothing changed, without memory. Cost: 15-25 ns per node. For a reader of KeptTree
  // the old nodes stay whole until one store replaces them by the new ones.
  bool collect(std::span<std::uint32_t* const> roots) noexcept;

  // Adds every node with its calls to a tree, the oldest first. Only clear() may follow. Without
  // memory all calls become lost calls of the tree.
  void add_to(Cct& tree) noexcept;
  // Removes all nodes but ROOT.
  void clear() noexcept { kept_->totals.size = 1; }

  // State of the tree for a reader of a killed process's memory (kept_tree.h). It lies in the
  // uptree itself until keep_in() moves it to `kept`.
  KeptTree& kept() noexcept { return *kept_; }
  void keep_in(KeptTree& kept) noexcept;
  // Size and decoder of a node in KeptTree::nodes, for readers of another process's memory.
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
  // Value in forward_ of a node to keep, until it gets its new number.
  static constexpr std::uint32_t kMarked = 1;

  static void add_calls(Node& node, std::uint64_t calls) noexcept {
    const std::uint64_t sum = node.calls_low + calls;
    node.calls_low = static_cast<std::uint32_t>(sum);
    node.packed += sum >> 32 << kCountShift;
  }
  void mark(std::span<std::uint32_t* const> roots) noexcept;
  std::uint32_t canonical(const Node* kept, std::uint32_t node, std::uint32_t parent,
                          std::uint32_t next) noexcept;

  // The next collection leaves its nodes in the one that is not current.
  shadowstack::LazyArray<Node> memory_[2];
  std::size_t current_ = 0;
  Node* nodes_;
  KeptTree own_kept_;
  KeptTree* kept_ = &own_kept_;
  // Scratch of collect() and add_to(), kept for its capacity: new number by node, and (parent, key)
  // -> node.
  std::vector<std::uint32_t> forward_;
  std::vector<std::uint32_t> canonical_;
};

inline ContextNode Uptree::node_in(const void* nodes, std::uint32_t index) noexcept {
  const Node& node = static_cast<const Node*>(nodes)[index];
  return {NodeIndex{node.parent}, node.packed & kKeyMask,
          node.packed >> kCountShift << 32 | node.calls_low};
}

}  // namespace copse::cct
