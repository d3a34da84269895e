// The memory that trees in place grow in: one stretch of address space, so that 32 bits name a
// node, handed out in chunks that are zero. The node at its start is nobody's: every slot a call site can
// have, all empty, for frames that belong to no thread's tree.
// Numbers count from one address in all regions of a process that follow each other, so that probes
// may have it for a constant: each region begins behind what the one before it used.
// Chunks that were given back are handed out again, whole or in halves, before new memory is
// touched: what was ever touched stays within the bound, but for what was taken over it. Threads:
// any; one mutex, taken once per chunk.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "cct/inplace/inline_layout.h"
#include "shadowstack/lazy_array.h"
#include "shadowstack/memory_source.h"

namespace copse::cct {

class InlineRegion {
 public:
  struct Chunk {
    std::uint64_t start = 0;  // address of its first node; 0: none
    int log = 0;              // of its bytes, InlineChunk included
    std::uint64_t bytes() const noexcept { return (std::uint64_t{1} << log) - sizeof(InlineChunk); }
    InlineChunk& header() const noexcept {
      return *reinterpret_cast<InlineChunk*>(start - sizeof(InlineChunk));
    }
  };
  static constexpr int kLeastLog = 9;  // a virtual thread may make a handful of calls
  // Of the smallest chunk with `bytes` bytes for nodes.
  static int log_for(std::uint64_t bytes) noexcept {
    return std::max(kLeastLog, static_cast<int>(std::bit_width(bytes + sizeof(InlineChunk) - 1)));
  }

  // At most `most_bytes` of chunks. `before`: the region this one follows, which gives up the
  // address space it did not use, and hands out no chunk from now on. Throws std::bad_alloc without memory
  // to start with.
  InlineRegion(shadowstack::MemorySource& memory, std::uint64_t most_bytes,
               InlineRegion* before = nullptr);
  ~InlineRegion();
  InlineRegion(const InlineRegion&) = delete;
  InlineRegion& operator=(const InlineRegion&) = delete;

  // Address of what node numbers count from.
  std::uint64_t base() const noexcept { return base_; }
  // Address of the first chunk.
  std::uint64_t first_chunk() const noexcept { return start_ + first_chunk_; }
  // Whether the slot is one of the node at the start.
  bool is_nobodys(std::uint64_t slot) const noexcept {
    return slot >= start_ && slot < first_chunk();
  }
  // Whether the slot is of a node in this region.
  bool has(std::uint64_t slot) const noexcept {
    return slot >= start_ && slot < start_ + reserved_;
  }
  InlineNode& nobodys() const noexcept { return *reinterpret_cast<InlineNode*>(start_); }

  InlineNode& node(std::uint32_t number) const noexcept {
    return *reinterpret_cast<InlineNode*>(base_ + number * std::uint64_t{kInlineUnit});
  }
  std::uint32_t number(const InlineNode& node) const noexcept {
    return static_cast<std::uint32_t>((reinterpret_cast<std::uint64_t>(&node) - base_) /
                                      kInlineUnit);
  }

  // Which node a slot is of: where nodes begin is noted, a bit per unit. Called by: the thread of
  // the tree, as all three. A chunk's nodes are noted in words of its own.
  std::uint32_t node_with(std::uint64_t slot) const noexcept;
  void note_node(std::uint32_t number) noexcept {
    const std::uint32_t unit = number - first_number();
    starts_->data()[unit / 64] |= std::uint64_t{1} << unit % 64;
  }
  void forget_nodes(const Chunk& chunk) noexcept;

  // Without one when the bound or the system's memory is reached. `over_bound`: only the system's.
  Chunk take(int log, ThreadIndex owner, bool over_bound = false) noexcept;
  // Memory elsewhere that grows with the trees and is part of the bound; negative when it shrinks.
  void count_beside(std::int64_t bytes) noexcept {
    beside_.fetch_add(bytes, std::memory_order_relaxed);
  }
  // The first `used` of its bytes were written to.
  void give_back(Chunk chunk, std::uint64_t used) noexcept;

  // All chunks are zero from now on and their memory is given back, but for what is still touched there.
  void empty() noexcept;

  std::uint64_t memory_bytes() const noexcept;  // of chunks handed out

 private:
  static constexpr int kLogs = 40;

  void reserve();
  void reserve_behind(InlineRegion& before);
  // Of nobody's node.
  std::uint32_t first_number() const noexcept {
    return static_cast<std::uint32_t>((start_ - base_) / kInlineUnit);
  }
  std::uint64_t take_free(int log) noexcept;
  static void set_log(std::uint64_t start, int log) noexcept;
  std::uint64_t take_new(std::uint64_t bytes, bool over_bound) noexcept;

  shadowstack::MemorySource& memory_;
  const std::uint64_t most_bytes_;
  std::uint64_t base_ = 0;
  std::uint64_t start_ = 0;        // nobody's node
  std::uint64_t reserved_ = 0;     // bytes from the start, as the three below
  std::uint64_t first_chunk_ = 0;  // constant after construction

  std::optional<shadowstack::LazyArray<std::uint64_t>> starts_;  // of nodes, by unit

  std::atomic<std::int64_t> beside_{0};

  mutable std::mutex mutex_;
  std::uint64_t used_ = 0;
  std::uint64_t committed_ = 0;
  std::uint64_t handed_out_ = 0;
  std::array<std::vector<std::uint64_t>, kLogs> free_;  // by log
};

}  // namespace copse::cct
