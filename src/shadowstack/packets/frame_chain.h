// The frames that are live between two packets of a thread: one key per depth, from depth 0 up.
//
// A chain is immutable and persistent: blocks of kFrames keys linked from the top downwards,
// reference counted, shared with the chains before and after. advance() copies only blocks in
// which a packet changed something, so a recursion 100,000 frames deep costs no more per packet
// than a flat program.
//
// A key of 0 is an unknown frame: one entered before recording began, or between frames that are
// known. Blocks with unknown frames only may be left out of the list. Whoever resolves a chain
// lets an unknown frame stand for the nearest known frame below it, ROOT if there is none.
//
// Threads: chains are handed from producers to workers; the counts are atomic, the keys never
// change once a chain is made.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>

#include "base/call_record.h"
#include "shadowstack/object_region.h"

namespace copse::shadowstack {

class FrameBlocks;

struct FrameBlock {
  static constexpr std::uint32_t kFrames = 128;

  FrameBlocks* owner = nullptr;  // null: the heap
  std::atomic<std::uint32_t> references{1};
  std::uint32_t index = 0;            // of the block: it holds depths [index * kFrames, + kFrames)
  const FrameBlock* below = nullptr;  // owned; its index is smaller
  ContextKey keys[kFrames] = {};      // 0: unknown, or above the chain's last frame
};

// Blocks in a memory source, to be used again when no chain holds them. Any thread. Must outlive
// its chains.
class FrameBlocks {
 public:
  explicit FrameBlocks(MemorySource& memory) noexcept : blocks_(memory, kMostBlocks) {}

  // An empty block; null when there is no memory.
  FrameBlock* take() noexcept;
  void give_back(FrameBlock* block) noexcept;

 private:
  static constexpr std::size_t kMostBlocks = std::size_t{1} << 24;

  std::mutex mutex_;
  ObjectRegion<FrameBlock> blocks_;  // under mutex_, as the one below
  FrameBlock* free_ = nullptr;       // linked by `below`, the last one given back first
};

class FrameChain {
 public:
  FrameChain() = default;
  FrameChain(const FrameChain& other) noexcept;
  FrameChain(FrameChain&& other) noexcept : top_(std::exchange(other.top_, nullptr)) {}
  FrameChain& operator=(FrameChain other) noexcept {
    std::swap(top_, other.top_);
    return *this;
  }
  ~FrameChain() { drop(top_); }

  // The chain after `records`, a packet's in order, when this was the chain before them.
  // `min_depth` becomes the smallest depth among them: frames below it are those of this chain.
  // False, `next` empty and `min_depth` 0, when there is no memory. `records` must not be empty.
  // New blocks are of `blocks`, or of the heap if that is null.
  // Called by: the producer, once per packet. Cost: one backward scan (0.2-0.3 ns per record) and
  // one block per 128 new frames.
  bool advance(std::span<const CallRecord> records, FrameChain& next, std::uint32_t& min_depth,
               FrameBlocks* blocks = nullptr) const noexcept;

  // Key of the frame at `depth`, 0 if unknown. Cost: O(blocks); for tests and rare uses.
  ContextKey key_at(std::uint32_t depth) const noexcept;

  const FrameBlock* top() const noexcept { return top_; }

  // Depth below which both chains are the same blocks: nothing below it can differ.
  static std::uint32_t shared_depth(const FrameChain& a, const FrameChain& b) noexcept;

 private:
  static void drop(const FrameBlock* block) noexcept;

  const FrameBlock* top_ = nullptr;
};

}  // namespace copse::shadowstack
