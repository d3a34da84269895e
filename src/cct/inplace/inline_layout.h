// The bytes that probes of trees in place read and write without asking anybody: JIT-compiled code
// uses these offsets through raw memory (src/agent/jvm/runtime/tree).
//
// A node, at a multiple of 8 bytes; its number is its distance from the region's start over 8:
//
//   offset size field
//        0    8 calls
//        8    4 method    0 for roots, tables and the node at the start, which is nobody's
//       12    4 next      number of another callee in the same slot, 0 at the end
//       16    8 entry     address of the slot it hangs in; of a root its own, unless it is that of
//                          an excerpt's tree (thread_trees.h)
//       24    4 slots     how many follow
//       28    4 each      numbers of callees: slot 0 of calls without a call site (what the runtime
//                         calls by itself), slot s of call site s
//
// A slot with many callees has the number of a table: a node of method 0, whose slots are a hash
// table of the callees, a power of two long and half full at most, probed linearly from
// inline_table_hash() of the method. `next` is how many there are. A table that has grown full is
// left as it is, for slots that still have its number (aliases, inline_tree.h).
//
// Nodes lie in chunks of a power of two of bytes, one behind the other, each with 16 bytes before
// its first node that say how large it is and whose tree it belongs to. Behind a chunk's nodes are
// zeros. Room that nodes left between others looks like a node whose entry is kInlineGap. So
// whoever has the bytes alone can find every node: no node's `entry` is 0 once it is one.
//
// A thread's word is the address of the slot in which the next callee hangs. So a call stores one
// address, an entry compares one method and adds one. The word is in the thread's header, where a
// packet probe keeps its own, or in a field of java.lang.Thread (src/agent/jvm/runtime).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/ids.h"

namespace copse::cct {

struct InlineNode {
  std::uint64_t calls;
  std::uint32_t method;
  std::uint32_t next;
  std::uint64_t entry;
  std::uint32_t slots;
};

struct InlineChunk {
  std::uint32_t log;  // of its bytes; 0: there is no chunk here yet
  std::uint32_t
      owner;  // row of the tree's thread (inline_run.h) plus one; 0: nobody's, and all zeros
  std::uint64_t unused;
};
static_assert(sizeof(InlineChunk) == 16 && std::is_trivially_copyable_v<InlineChunk>);

inline constexpr std::uint64_t kInlineGap = 1;
inline constexpr std::size_t kInlineSlots = 28;     // offset of slot 0
inline constexpr std::size_t kInlineSlotBytes = 4;  // of one slot
inline constexpr std::size_t kInlineUnit = 8;       // bytes; what node numbers count
inline constexpr std::uint32_t kMostInlineSlots = 1u << 16;

static_assert(offsetof(InlineNode, method) == 8 && offsetof(InlineNode, next) == 12);
static_assert(offsetof(InlineNode, entry) == 16 && offsetof(InlineNode, slots) == 24);
static_assert(std::is_trivially_copyable_v<InlineNode> && alignof(InlineNode) == kInlineUnit);

// No node is smaller, and no gap.
inline constexpr std::uint64_t kLeastInlineBytes = sizeof(InlineNode);

constexpr std::size_t inline_node_bytes(std::uint32_t slots) noexcept {
  return (kInlineSlots + slots * sizeof(std::uint32_t) + kInlineUnit - 1) & ~(kInlineUnit - 1);
}

inline constexpr std::uint32_t kInlineTableHash = 0x9E37'79B1;
inline constexpr int kInlineTableShift = 16;

// Of a method in a slot's table; to be masked with its size less one.
constexpr std::uint32_t inline_table_hash(MethodId method) noexcept {
  return raw(method) * kInlineTableHash >> kInlineTableShift;
}

// What the slot at an address holds, where its tree's thread does not read it meanwhile.
inline std::uint32_t& number_in(std::uint64_t slot) noexcept {
  return *reinterpret_cast<std::uint32_t*>(slot);
}

// One read: the node's thread may be counting.
inline std::uint64_t calls_of(const InlineNode& node) noexcept {
  return std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(node.calls))
      .load(std::memory_order_relaxed);
}

// `slots` of what takes as many bytes, a multiple of 8 and at least kLeastInlineBytes.
constexpr std::uint32_t inline_slots_within(std::uint64_t bytes) noexcept {
  return static_cast<std::uint32_t>((bytes - kInlineSlots) / sizeof(std::uint32_t));
}
static_assert(inline_node_bytes(inline_slots_within(32)) == 32 &&
              inline_node_bytes(inline_slots_within(4096)) == 4096);

}  // namespace copse::cct
