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
#include "cct/lazy_array.h"

namespace copse {

class Uptree {
 public:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;  // no node: not made, or no room
  static constexpr std::uint32_t kRoot = 0;

  // Throws std::bad_alloc.
  Uptree(MemorySource& memory, std::uint32_t most_nodes);

  // A new node without calls; kNone when there is no room. Cost: a store, no look-up.
  std::uint32_t add(std::uint32_t parent, ContextKey key) noexcept {
    if (!memory_.ensure(std::size_t{size_} + 1)) [[unlikely]]
      return kNone;
    nodes_[size_] = {key, parent, 0};
    return size_++;
  }
  void add_calls(std::uint32_t node, std::uint64_t calls) noexcept {
    const std::uint64_t sum = nodes_[node].calls_low + calls;
    nodes_[node].calls_low = static_cast<std::uint32_t>(sum);
    nodes_[node].packed += sum >> 32 << kCountShift;
  }

  // Garbage collection with merging: keeps the nodes that count calls, those that `tokens` name and
  // their ancestors, makes one of all with the same context, closes the gaps and rewrites the
  // tokens (kNone stays). One pass backwards marks, one forwards merges, since parents are older.
  // False when there is no memory for it; nothing has changed then. Cost: 15-25 ns per node.
  bool collect(std::span<std::uint32_t* const> tokens) noexcept;

  // Adds every node that counts calls, and its ancestors, to a tree; ends with ROOT alone.
  void move_into(Cct& tree) noexcept;

  std::uint32_t size() const noexcept { return size_; }  // ROOT included
  std::uint32_t parent(std::uint32_t node) const noexcept { return nodes_[node].parent; }
  ContextKey key(std::uint32_t node) const noexcept { return nodes_[node].packed & kKeyMask; }
  std::uint64_t calls(std::uint32_t node) const noexcept {
    return (nodes_[node].packed >> kCountShift << 32) | nodes_[node].calls_low;
  }
  std::uint64_t memory_bytes() const noexcept;

 private:
  struct Node {
    std::uint64_t packed;
    std::uint32_t parent;
    std::uint32_t calls_low;
  };
  static_assert(sizeof(Node) == 16);
  static constexpr int kCountShift = kDepthShift;
  // In forward_: a node that must be kept, before it has its new number.
  static constexpr std::uint32_t kMarked = 1;

  void mark(std::span<std::uint32_t* const> tokens) noexcept;
  std::uint32_t canonical(std::uint32_t node, std::uint32_t parent, std::uint32_t next) noexcept;

  LazyArray<Node> memory_;
  Node* nodes_;
  std::uint32_t size_ = 1;
  // Of collect(), kept for their capacity: new number by node, and (parent, key) -> node.
  std::vector<std::uint32_t> forward_;
  std::vector<std::uint32_t> canonical_;
};

}  // namespace copse
