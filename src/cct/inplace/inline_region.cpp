#include "cct/inplace/inline_region.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "base/make_room.h"
#include "cct/inplace/inline_run.h"
#include "shadowstack/low_memory.h"

namespace copse::cct {
namespace {

constexpr std::uint64_t kMostReserved = (std::uint64_t{1} << 32) * kInlineUnit;
constexpr std::uint64_t kLeastReserved = std::uint64_t{64} << 20;
// Enough for any tree: what has no room moves to the master tree.
constexpr std::uint64_t kEnoughReserved = std::uint64_t{8} << 30;
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;
constexpr std::uint64_t kLeastStep = std::uint64_t{1} << 20;

// Bytes covered by a word of the bits that mark starts of nodes.
constexpr std::uint64_t kBytesPerWord = 64 * kInlineUnit;
static_assert((std::uint64_t{1} << InlineRegion::kLeastLog) % kBytesPerWord == 0);
static_assert(kHugePage % kBytesPerWord == 0 && kHugePage % kLeastInlineBytes == 0);

constexpr std::uint64_t words_within(std::uint64_t bytes) noexcept { return bytes / kBytesPerWord; }

constexpr std::uint64_t seen_within(std::uint64_t bytes) noexcept {
  return bytes / kLeastInlineBytes;
}

}  // namespace

InlineRegion::InlineRegion(shadowstack::MemorySource& memory, std::uint64_t most_bytes,
                           InlineRegion* before)
    : memory_(&memory), most_bytes_(most_bytes) {
  if (before == nullptr) {
    reserve();
    space_ = std::make_shared<Space>(start_, reserved_);
  } else {
    space_ = before->space_;
    reserve_behind(*before);
  }
  first_chunk_ = (inline_node_bytes(kMostInlineSlots) + kPage - 1) & ~(kPage - 1);
  used_ = committed_ = first_chunk_;
  if (!space_->starts.ensure(words_within(offset_of(start_) + first_chunk_)) ||
      !memory_->commit(reinterpret_cast<void*>(start_), first_chunk_)) {
    memory_->disown(reinterpret_cast<void*>(start_));
    throw std::bad_alloc();
  }
  unowned().entry = start_ + kInlineSlots;
  unowned().slots = kMostInlineSlots;
  note_node(number(unowned()));
}

InlineRegion::Space::Space(std::uint64_t first_start, std::uint64_t most_bytes)
    : origin(first_start),
      bytes(most_bytes),
      starts(shadowstack::anonymous_memory(), words_within(most_bytes)) {}

InlineRegion::Space::~Space() {
  shadowstack::anonymous_memory().release(reinterpret_cast<void*>(origin), bytes);
}

void InlineRegion::reserve() {
  if (reserve_low()) return;
  for (reserved_ = kMostReserved; reserved_ >= kLeastReserved; reserved_ /= 2) {
    start_ = reinterpret_cast<std::uint64_t>(memory_->reserve(reserved_, kInlineUnit));
    if (start_ != 0) break;
  }
  if (start_ == 0) throw std::bad_alloc();
  base_ = start_;
}

bool InlineRegion::reserve_low() {
  const std::uint64_t page = shadowstack::low_page();
  if (page == 0) return false;
  const std::uint64_t twice_the_bound = 2 * std::min(most_bytes_, kEnoughReserved);
  const std::uint64_t least = std::clamp(twice_the_bound, kLeastReserved, kEnoughReserved);
  const shadowstack::AddressRange range =
      shadowstack::reserve_low(page + kMostReserved, least, kMostReserved);
  if (range.bytes == 0) return false;
  if (!memory_->reserve_at(reinterpret_cast<void*>(range.start), range.bytes)) {
    munmap(reinterpret_cast<void*>(range.start), range.bytes);
    return false;
  }
  base_ = page;
  start_ = range.start;
  reserved_ = range.bytes;
  return true;
}

void InlineRegion::reserve_behind(InlineRegion& before) {
  const std::lock_guard lock(before.mutex_);
  const std::uint64_t end = space_->origin + space_->bytes;
  start_ = (before.start_ + before.committed_ + kHugePage - 1) & ~(kHugePage - 1);
  if (start_ + kLeastReserved > end) throw NoNumbersLeft();
  if (!memory_->reserve_at(reinterpret_cast<void*>(start_), end - start_)) throw std::bad_alloc();
  before.reserved_ = before.committed_;
  reserved_ = end - start_;
  base_ = before.base_;
}

InlineRegion::~InlineRegion() { memory_->disown(reinterpret_cast<void*>(start_)); }

// In one step, because probes may read and write there at any time.
void InlineRegion::leave() noexcept {
  constexpr int kZeros = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  const std::lock_guard lock(mutex_);
  void* const origin = reinterpret_cast<void*>(space_->origin);
  const std::uint64_t used = (committed_ + kHugePage - 1) & ~(kHugePage - 1);
  const std::uint64_t kept = std::min(used, reserved_);
  const std::uint64_t bytes = offset_of(start_) + kept;
  if (mmap(origin, bytes, PROT_READ | PROT_WRITE, kZeros, -1, 0) == MAP_FAILED) return;
  // The rest is for the next region.
  if (kept < reserved_ && !shadowstack::anonymous_memory().reserve_at(
                              reinterpret_cast<void*>(start_ + kept), reserved_ - kept)) {
    return;
  }
  memory_->disown(reinterpret_cast<void*>(start_));
  memory_ = &shadowstack::anonymous_memory();
  committed_ = kept;
  space_->starts.forget();
  if (space_->seen) space_->seen->forget();
}

InlineRegion::Chunk InlineRegion::take(int log, ThreadIndex owner, bool over_bound) noexcept {
  if (log >= kLogs) return {};
  const std::lock_guard lock(mutex_);
  const std::uint64_t bytes = std::uint64_t{1} << log;
  std::uint64_t start = take_free(log);
  if (start == 0) start = take_new(bytes, over_bound);
  if (start == 0) return {};
  handed_out_ += bytes;
  const Chunk chunk{start + sizeof(InlineChunk), log};
  set_log(start, log);
  chunk.header().owner = raw(owner) + 1;
  return chunk;
}

void InlineRegion::set_log(std::uint64_t start, int log) noexcept {
  reinterpret_cast<InlineChunk*>(start)->log = static_cast<std::uint32_t>(log);
  shadowstack::in_this_order();
}

// Takes a free chunk and frees the rest of a larger one. Returns 0 if there is none.
std::uint64_t InlineRegion::take_free(int log) noexcept {
  int found = log;
  while (found < kLogs && free_[static_cast<std::size_t>(found)].empty()) ++found;
  if (found == kLogs) return 0;
  try {
    for (int half = log; half < found; ++half) {
      std::vector<std::uint64_t>& list = free_[static_cast<std::size_t>(half)];
      make_room(list, list.size() + 1);
    }
  } catch (const std::bad_alloc&) {
    return 0;
  }
  std::vector<std::uint64_t>& list = free_[static_cast<std::size_t>(found)];
  const std::uint64_t start = list.back();
  list.pop_back();
  while (found > log) {
    --found;
    const std::uint64_t upper_half = start + (std::uint64_t{1} << found);
    set_log(upper_half, found);
    set_log(start, found);
    free_[static_cast<std::size_t>(found)].push_back(upper_half);
  }
  return start;
}

std::uint64_t InlineRegion::take_new(std::uint64_t bytes, bool over_bound) noexcept {
  const std::int64_t beside = std::max<std::int64_t>(0, beside_.load(std::memory_order_relaxed));
  const std::uint64_t taken = used_ - first_chunk_ + static_cast<std::uint64_t>(beside);
  if (!over_bound && taken + bytes > most_bytes_) return 0;
  const std::uint64_t wanted = used_ + bytes;
  const std::uint64_t until = offset_of(start_) + wanted;
  if (wanted > reserved_ || !space_->starts.ensure(words_within(until))) return 0;
  if (keeps_seen_ && !space_->seen->ensure(seen_within(until))) return 0;
  if (wanted > committed_) {
    const std::uint64_t step = std::max(kLeastStep, wanted - committed_);
    const std::uint64_t more = std::min(step, reserved_ - committed_);
    if (!memory_->commit(reinterpret_cast<void*>(start_ + committed_), more)) return 0;
    committed_ += more;
  }
  return start_ + std::exchange(used_, wanted);
}

void InlineRegion::give_back(Chunk chunk, std::uint64_t used) noexcept {
  chunk.header().owner = 0;
  shadowstack::in_this_order();
  std::memset(reinterpret_cast<void*>(chunk.start), 0, used);
  forget_nodes(chunk);
  if (has_seen_calls()) {
    const std::uint64_t begin = offset_of(chunk.start - sizeof(InlineChunk));
    std::memset(space_->seen->data() + seen_within(begin), 0,
                seen_within(used + sizeof(InlineChunk)) * sizeof(std::uint64_t));
  }
  const std::lock_guard lock(mutex_);
  handed_out_ -= std::uint64_t{1} << chunk.log;
  try {
    free_[static_cast<std::size_t>(chunk.log)].push_back(chunk.start - sizeof(InlineChunk));
  } catch (const std::bad_alloc&) {
    // Address space that is never used again.
  }
}

bool InlineRegion::keep_seen_calls() noexcept {
  const std::lock_guard lock(mutex_);
  std::optional<shadowstack::LazyArray<std::uint64_t>>& seen = space_->seen;
  if (!seen) seen.emplace(shadowstack::anonymous_memory(), seen_within(space_->bytes));
  keeps_seen_ = seen->ensure(seen_within(offset_of(start_) + used_));
  return keeps_seen_;
}

std::uint32_t InlineRegion::node_with(std::uint64_t slot) const noexcept {
  const std::uint64_t* const starts = space_->starts.data();
  const std::uint64_t unit = offset_of(slot) / kInlineUnit;
  std::uint64_t word = unit / 64;
  std::uint64_t bits = starts[word] & (~std::uint64_t{0} >> (63 - unit % 64));
  // Ends at the unowned node, which is noted until the region is left.
  while (bits == 0 && word != 0) bits = starts[--word];
  if (bits == 0) return first_number();
  return first_number() + static_cast<std::uint32_t>(word * 64 + std::bit_width(bits) - 1);
}

void InlineRegion::forget_nodes(const Chunk& chunk) noexcept {
  const std::uint64_t begin = offset_of(chunk.start - sizeof(InlineChunk));
  std::memset(space_->starts.data() + words_within(begin), 0,
              words_within(std::uint64_t{1} << chunk.log) * sizeof(std::uint64_t));
}

std::uint64_t InlineRegion::index_count() const noexcept {
  const std::lock_guard lock(mutex_);
  return seen_within(used_);
}

void InlineRegion::empty(Chunk chunk, std::uint64_t used) noexcept {
  chunk.header().owner = 0;
  shadowstack::in_this_order();
  const std::uint64_t begin = (chunk.start + kPage - 1) & ~(kPage - 1);
  const std::uint64_t end = (chunk.start + used) & ~(kPage - 1);
  if (begin < end) memory_->forget(reinterpret_cast<void*>(begin), end - begin);
}

void InlineRegion::empty() noexcept {
  const std::lock_guard lock(mutex_);
  memory_->forget(reinterpret_cast<void*>(first_chunk()), committed_ - first_chunk_);
  for (std::vector<std::uint64_t>& free : free_) free.clear();
  handed_out_ = 0;
}

std::uint64_t InlineRegion::memory_bytes() const noexcept {
  const std::lock_guard lock(mutex_);
  return handed_out_;
}

}  // namespace copse::cct
