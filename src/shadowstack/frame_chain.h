// The frames that are live between two packets of a thread: one key per depth, from depth 0 up.
//
// A chain is immutable and persistent: blocks of kFrames keys, linked from the top downwards,
// reference counted, and shared with the chains before and after. advance() copies only the blocks
// that a packet changed, so a recursion 100,000 frames deep costs no more per packet than a flat
// program.
//
// A key of 0 is an unknown frame: one entered before recording began, or between known frames.
// Blocks with unknown frames only may be left out of the list. A reader of a chain replaces an
// unknown frame by the nearest known frame below it, ROOT if there is none.
//
// Thread-safe: producers hand chains to workers, the counts are atomic, and the keys never change
// once a chain is made.
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

  FrameBlocks* owner = nullptr;  // nullptr: the heap
  std::atomic<std::uint32_t> references{1};
  std::uint32_t index = 0;            // the block holds depths [index * kFrames, + kFrames)
  const FrameBlock* below = nullptr;  // owned; its index is smaller
  ContextKey keys[kFrames] = {};      // 0: unknown, or above the chain's last frame
};

// Blocks in a memory source, reused when no chain holds them. Must outlive its chains. Thread-safe.
class FrameBlocks {
 public:
  explicit FrameBlocks(MemorySource& memory) noexcept : blocks_(memory, kMostBlocks) {}

  // Returns an empty block; nullptr without memory.
  FrameBlock* take() noexcept;
  void give_back(FrameBlock* block) noexcept;

 private:
  static constexpr std::size_t kMostBlocks = std::size_t{1} << 24;

  std::mutex mutex_;
  ObjectRegion<FrameBlock> blocks_;  // guarded by mutex_
  FrameBlock* free_ = nullptr;       // guarded by mutex_; linked by `below`, last returned first
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

  // Sets `next` to the chain after `records`, a packet's in order, where this is the chain before
  // them. Sets `min_depth` to the smallest depth among them: frames below it are those of this
  // chain. Returns false, with `next` empty and `min_depth` 0, without memory. New blocks come from
  // `blocks`; nullptr means the heap. REQUIRES: `records` is not empty. Called by: the producer,
  // once per packet. Cost: one backward scan (0.2-0.3 ns per record) and one block per 128 new
  // frames.
  bool advance(std::span<const CallRecord> records, FrameChain& next, std::uint32_t& min_depth,
               FrameBlocks* blocks = nullptr) const noexcept;

  // Returns the key of the frame at `depth`; 0 if unknown. Cost: O(blocks); for tests and rare
  // uses.
  ContextKey key_at(std::uint32_t depth) const noexcept;

  const FrameBlock* top() const noexcept { return top_; }

  // Returns the depth below which both chains consist of the same blocks.
  static std::uint32_t shared_depth(const FrameChain& a, const FrameChain& b) noexcept;

 private:
  static void drop(const FrameBlock* block) noexcept;

  const FrameBlock* top_ = nullptr;
};

}  // namespace copse::shadowstack
