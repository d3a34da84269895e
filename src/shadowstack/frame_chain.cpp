#include "shadowstack/frame_chain.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

namespace copse::shadowstack {
namespace {

constexpr std::uint32_t kFrames = FrameBlock::kFrames;

const FrameBlock* share(const FrameBlock* block) noexcept {
  if (block != nullptr) {
    const_cast<FrameBlock*>(block)->references.fetch_add(1, std::memory_order_relaxed);
  }
  return block;
}

// Index after the last record below `limit`, whose lower bits are 0, in records[0, end); 0 if there
// is none. Most packets hold few such records, so sixteen are tested at a time, without branches:
// halved, no number has its highest bit set, and a difference has it when it is negative.
std::size_t last_below(const CallRecord* records, std::size_t end, CallRecord limit) noexcept {
  using Pair = std::uint64_t __attribute__((vector_size(16)));
  if (end != 0 && records[end - 1] < limit) return end;  // straight down: a frame per record
  const Pair half = {limit >> 1, limit >> 1};
  for (; end >= 16; end -= 16) {
    Pair found = {};
    for (int i = 0; i < 16; i += 2) {
      Pair pair;
      std::memcpy(&pair, records + end - 16 + i, sizeof pair);
      found |= (pair >> 1) - half;
    }
    if ((found[0] | found[1]) >> 63 != 0) break;
  }
  while (end != 0 && records[end - 1] >= limit) --end;
  return end;
}

FrameBlock* make_block(FrameBlocks* blocks) noexcept {
  return blocks != nullptr ? blocks->take() : new (std::nothrow) FrameBlock;
}

}  // namespace

FrameBlock* FrameBlocks::take() noexcept {
  const std::lock_guard lock(mutex_);
  FrameBlock* block = free_;
  if (block == nullptr) {
    block = blocks_.add();
    if (block != nullptr) block->owner = this;
    return block;
  }
  free_ = const_cast<FrameBlock*>(block->below);
  block->references.store(1, std::memory_order_relaxed);
  block->below = nullptr;
  std::fill(std::begin(block->keys), std::end(block->keys), 0);
  return block;
}

void FrameBlocks::give_back(FrameBlock* block) noexcept {
  const std::lock_guard lock(mutex_);
  block->below = std::exchange(free_, block);
}

FrameChain::FrameChain(const FrameChain& other) noexcept : top_(share(other.top_)) {}

void FrameChain::drop(const FrameBlock* block) noexcept {
  while (block != nullptr) {
    // acq_rel: the last owner must see every other owner's reads as done before it deletes.
    if (const_cast<FrameBlock*>(block)->references.fetch_sub(1, std::memory_order_acq_rel) != 1) {
      return;
    }
    const FrameBlock* below = block->below;
    if (block->owner != nullptr) {
      block->owner->give_back(const_cast<FrameBlock*>(block));
    } else {
      delete block;
    }
    block = below;
  }
}

bool FrameChain::advance(std::span<const CallRecord> records, FrameChain& next,
                         std::uint32_t& min_depth, FrameBlocks* blocks) const noexcept {
  // From the last record backwards, a record is a live frame if nothing after it is as shallow.
  FrameChain made;
  FrameBlock* block = nullptr;
  std::uint32_t depth = 0;
  for (std::size_t at = records.size(); at != 0;) {
    const CallRecord record = records[at - 1];
    depth = depth_of(record);
    if (block == nullptr || block->index != depth / kFrames) {
      FrameBlock* lower = make_block(blocks);
      if (lower == nullptr) {
        next = FrameChain();
        min_depth = 0;
        return false;
      }
      lower->index = depth / kFrames;
      (block == nullptr ? made.top_ : block->below) = lower;
      block = lower;
    }
    block->keys[depth % kFrames] = key_of(record);
    at = depth == 0 ? 0 : last_below(records.data(), at - 1, record & ~kKeyMask);
  }
  min_depth = depth;

  const FrameBlock* kept = top_;
  while (kept != nullptr && kept->index > block->index) kept = kept->below;
  if (kept != nullptr && kept->index == block->index) {
    std::copy_n(kept->keys, depth % kFrames, block->keys);
    kept = kept->below;
  }
  block->below = share(kept);
  next = std::move(made);
  return true;
}

ContextKey FrameChain::key_at(std::uint32_t depth) const noexcept {
  const FrameBlock* block = top_;
  while (block != nullptr && block->index > depth / kFrames) block = block->below;
  return block != nullptr && block->index == depth / kFrames ? block->keys[depth % kFrames] : 0;
}

std::uint32_t FrameChain::shared_depth(const FrameChain& a, const FrameChain& b) noexcept {
  const FrameBlock* x = a.top_;
  const FrameBlock* y = b.top_;
  // Unknown frames above the lists' common part are equal only up to the lower different block.
  std::uint32_t lowest = std::numeric_limits<std::uint32_t>::max();
  while (x != y) {
    const FrameBlock*& higher = y == nullptr || (x != nullptr && x->index >= y->index) ? x : y;
    lowest = higher->index;
    higher = higher->below;
  }
  return lowest == std::numeric_limits<std::uint32_t>::max() ? lowest : lowest * kFrames;
}

}  // namespace copse::shadowstack
