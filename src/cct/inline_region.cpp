#include "cct/inline_region.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace copse {
namespace {

constexpr std::uint64_t kMostReserved = (std::uint64_t{1} << 32) * kInlineUnit;
constexpr std::uint64_t kLeastReserved = std::uint64_t{64} << 20;
constexpr std::uint64_t kLeastStep = std::uint64_t{1} << 20;

}  // namespace

InlineRegion::InlineRegion(MemorySource& memory, std::uint64_t most_bytes)
    : memory_(memory), most_bytes_(most_bytes) {
  for (reserved_ = kMostReserved; reserved_ >= kLeastReserved; reserved_ /= 2) {
    start_ = reinterpret_cast<std::uint64_t>(memory_.reserve(reserved_, kInlineUnit));
    if (start_ != 0) break;
  }
  if (start_ == 0) throw std::bad_alloc();
  constexpr std::uint64_t kPage = 4096;
  first_chunk_ = (inline_node_bytes(kMostInlineSlots) + kPage - 1) & ~(kPage - 1);
  used_ = committed_ = first_chunk_;
  if (!memory_.commit(reinterpret_cast<void*>(start_), first_chunk_)) {
    memory_.release(reinterpret_cast<void*>(start_), reserved_);
    throw std::bad_alloc();
  }
  node(0).entry = start_ + kInlineSlots;
  node(0).slots = kMostInlineSlots;
}

InlineRegion::~InlineRegion() { memory_.release(reinterpret_cast<void*>(start_), reserved_); }

InlineRegion::Chunk InlineRegion::take(int log, bool over_bound) noexcept {
  const std::lock_guard lock(mutex_);
  Chunk chunk{0, log};
  if (log >= kLogs || (!over_bound && handed_out_ + chunk.bytes() > most_bytes_)) return {};
  std::vector<std::uint64_t>& free = free_[static_cast<std::size_t>(log)];
  if (!free.empty()) {
    chunk.start = free.back();
    free.pop_back();
  } else {
    const std::uint64_t wanted = used_ + chunk.bytes();
    if (wanted > reserved_) return {};
    if (wanted > committed_) {
      const std::uint64_t step = std::max(kLeastStep, wanted - committed_);
      const std::uint64_t bytes = std::min(step, reserved_ - committed_);
      if (!memory_.commit(reinterpret_cast<void*>(start_ + committed_), bytes)) return {};
      committed_ += bytes;
    }
    chunk.start = start_ + used_;
    used_ = wanted;
  }
  handed_out_ += chunk.bytes();
  return chunk;
}

void InlineRegion::give_back(Chunk chunk, std::uint64_t used) noexcept {
  std::memset(reinterpret_cast<void*>(chunk.start), 0, used);
  const std::lock_guard lock(mutex_);
  handed_out_ -= chunk.bytes();
  try {
    free_[static_cast<std::size_t>(chunk.log)].push_back(chunk.start);
  } catch (const std::bad_alloc&) {
    // Address space that is never used again.
  }
}

std::uint64_t InlineRegion::memory_bytes() const noexcept {
  const std::lock_guard lock(mutex_);
  return handed_out_;
}

}  // namespace copse
