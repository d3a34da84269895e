#include "agent/jvm/runtime/header_table.h"

#include <sys/mman.h>

#include "shadowstack/memory_source.h"

namespace copse::jvm {
namespace {

constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 34;
constexpr std::uint64_t kLeastEntries = std::uint64_t{1} << 16;
constexpr std::uint64_t kPageBytes = 4096;
constexpr std::uint64_t kPageSlots = kPageBytes / sizeof(std::uint64_t);

// Pages come as they are touched.
void* address_space(std::uint64_t bytes) noexcept {
  if (!shadowstack::leaves_address_space(bytes)) return nullptr;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

bool HeaderTable::reserve() noexcept {
  using Count = std::atomic<std::uint32_t>;
  for (entries_ = kMostEntries; entries_ >= kLeastEntries; entries_ >>= 2) {
    const std::uint64_t bytes = entries_ * sizeof(std::uint64_t);
    slots_ = static_cast<std::uint64_t*>(address_space(bytes));
    if (slots_ == nullptr) continue;
    // Huge pages would hold many threads that have ended with few that have not.
    madvise(slots_, bytes, MADV_NOHUGEPAGE);
    ended_ = static_cast<Count*>(address_space(entries_ / kPageSlots * sizeof(Count)));
    if (ended_ != nullptr) return true;
    munmap(slots_, bytes);
  }
  return false;
}

void HeaderTable::ended(std::int64_t thread_id) noexcept {
  // Once ids have wrapped around, a page's threads cannot be told from those before them.
  if (static_cast<std::uint64_t>(thread_id) >= entries_) return;
  const std::uint64_t page = static_cast<std::uint64_t>(thread_id) / kPageSlots;
  if (ended_[page].fetch_add(1, std::memory_order_relaxed) + 1 < kPageSlots) return;
  madvise(slots_ + page * kPageSlots, kPageBytes, MADV_DONTNEED);
}

// Without their pages they read as 0.
void HeaderTable::forget_all() noexcept {
  madvise(slots_, entries_ * sizeof(std::uint64_t), MADV_DONTNEED);
}

}  // namespace copse::jvm
