// Layout of the bytes that probes of trees in place read and write directly: JIT-compiled code uses
// these offsets through raw memory (src/agent/jvm/runtime/tree).
//
// A node, at a multiple of 8 bytes; its number is its distance from InlineRegion::base() over 8:
//
//   offset size field
//        0    8 calls
//        8    4 method    0 for roots, tables and the unowned node at the region's start
//       12    4 next      number of another callee in the same slot, 0 at the end. The first callee
//                         is the one met first, until another has more calls (InlineTree::place())
//       16    8 entry     address of the slot that holds the node. A root: its own slot, or the slot
//                         in which its excerpt's tree hangs (thread_trees.h)
//       24    4 slots     number of slots that follow
//       28    4 each      numbers of callees: slot 0 of calls without a call site (made by the
//                         runtime itself), slot s of call site s
//
// A slot with many callees holds the number of a table: a node of method 0 whose slots are a hash
// table of the callees. The table's size is a power of two, it is at most half full, and it is
// probed linearly from inline_table_hash() of the method. `next` is the number of callees. A full
// table is left as it is when a larger one replaces it, because other slots (aliases,
// inline_tree.h) may still have its number.
//
// Nodes lie in chunks of a power of two of bytes, one behind the other. The 16 bytes before a
// chunk's first node give its size and the owner of its tree. Zeros follow a chunk's nodes. A gap
// between nodes looks like a node whose entry is kInlineGap. The `entry` of a node is never 0. A
// reader of the raw bytes can therefore find every node.
//
// A thread's word is the address of the slot in which the next callee hangs. A call stores one
// address; an entry compares one method and adds one. The word is in the thread's header, where a
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
  std::uint32_t log;  // log2 of its bytes; 0: no chunk here yet
  // Row of the tree's thread (inline_run.h) plus one; 0: free, and all zeros.
  std::uint32_t owner;
  std::uint64_t unused;
};
static_assert(sizeof(InlineChunk) == 16 && std::is_trivially_copyable_v<InlineChunk>);

inline constexpr std::uint64_t kInlineGap = 1;
inline constexpr std::size_t kInlineSlots = 28;     // offset of slot 0
inline constexpr std::size_t kInlineSlotBytes = 4;  // of one slot
inline constexpr std::size_t kInlineUnit = 8;       // bytes per step of a node number
inline constexpr std::uint32_t kMostInlineSlots = 1u << 16;

static_assert(offsetof(InlineNode, method) == 8 && offsetof(InlineNode, next) == 12);
static_assert(offsetof(InlineNode, entry) == 16 && offsetof(InlineNode, slots) == 24);
static_assert(std::is_trivially_copyable_v<InlineNode> && alignof(InlineNode) == kInlineUnit);

// Smallest size of a node or gap.
inline constexpr std::uint64_t kLeastInlineBytes = sizeof(InlineNode);

constexpr std::size_t inline_node_bytes(std::uint32_t slots) noexcept {
  return (kInlineSlots + slots * sizeof(std::uint32_t) + kInlineUnit - 1) & ~(kInlineUnit - 1);
}

inline constexpr std::uint32_t kInlineTableHash = 0x9E37'79B1;
inline constexpr int kInlineTableShift = 16;

// Hash of a method in a slot's table; mask it with the table's size less one.
constexpr std::uint32_t inline_table_hash(MethodId method) noexcept {
  return raw(method) * kInlineTableHash >> kInlineTableShift;
}

// Returns the number in the slot at this address. REQUIRES: the thread of the tree does not read it
// meanwhile.
inline std::uint32_t& number_in(std::uint64_t slot) noexcept {
  return *reinterpret_cast<std::uint32_t*>(slot);
}

// Returns the call site of one of the node's slots.
inline SiteOrdinal site_of_slot(const InlineNode& node, std::uint64_t slot) noexcept {
  const std::uint64_t first = reinterpret_cast<std::uint64_t>(&node) + kInlineSlots;
  return SiteOrdinal{static_cast<std::uint16_t>((slot - first) / kInlineSlotBytes)};
}

// Reads the count at once: the node's thread may be counting.
inline std::uint64_t calls_of(const InlineNode& node) noexcept {
  return std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(node.calls))
      .load(std::memory_order_relaxed);
}

// Returns the `slots` of a node of `bytes` bytes. REQUIRES: `bytes` is a multiple of 8 and at least
// kLeastInlineBytes.
constexpr std::uint32_t inline_slots_within(std::uint64_t bytes) noexcept {
  return static_cast<std::uint32_t>((bytes - kInlineSlots) / sizeof(std::uint32_t));
}
static_assert(inline_node_bytes(inline_slots_within(32)) == 32 &&
              inline_node_bytes(inline_slots_within(4096)) == 4096);

}  // namespace copse::cct
