#include "encoders/ids/allocation_counts.h"

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace copse::ids {
namespace {

constexpr std::uint32_t kFirstTableLog = 5;
constexpr std::uint32_t kMostLog = 11;  // 128 KiB

std::uint64_t load(std::uint64_t& field) noexcept {
  // Relaxed: another thread's count, which only grows.
  return std::atomic_ref<std::uint64_t>(field).load(std::memory_order_relaxed);
}

AllocationEntry* table_of(const events::EventThread& thread) noexcept {
  return static_cast<AllocationEntry*>(thread.allocations.table);
}

}  // namespace

AllocationCounts::AllocationCounts(ContextIds& ids)
    : take_([&ids](shadowstack::ThreadHeader& header, const CountedAllocations& counted) {
        ids.add_event(events::EventKind::kExactAllocation, counted.word,
                      {counted.bytes, counted.count}, events::event_thread_of(&header));
      }) {}

void AllocationCounts::add(shadowstack::ThreadHeader& header, std::uint64_t word,
                           std::uint64_t bytes) noexcept {
  events::EventThread* thread = events::event_thread_of(&header);
  if (thread != nullptr) {
    const std::lock_guard lock(thread->allocations.mutex);
    if (make_room(*thread)) {
      const std::uint64_t hash = word * kAllocationMultiplier;
      AllocationEntry& entry = table_of(*thread)[hash >> (64 - thread->allocations.log)];
      if (entry.word != word) {
        if (entry.word != 0) ++thread->allocations.misses;
        take(*thread, entry);
        entry = {word, 0, 0, 0, 0, {}};
      }
      std::atomic_ref<std::uint64_t>(entry.count).fetch_add(1, std::memory_order_relaxed);
      std::atomic_ref<std::uint64_t>(entry.bytes).fetch_add(bytes, std::memory_order_relaxed);
      return;
    }
  }
  take_(header, {word, 1, bytes});
}

// False: the thread has no table, and gets none.
bool AllocationCounts::make_room(events::EventThread& thread) noexcept {
  events::EventThread::Allocations& allocations = thread.allocations;
  if (!allocations.is_open) return false;
  const bool is_small =
      allocations.log < kMostLog && allocations.misses > 2 * (std::uint64_t{1} << allocations.log);
  if (allocations.table != nullptr && !is_small) return true;
  const std::uint32_t log = allocations.table == nullptr ? kFirstTableLog : allocations.log + 2;
  const std::size_t bytes = sizeof(AllocationEntry) << log;
  void* memory = std::aligned_alloc(sizeof(AllocationEntry), bytes);
  if (memory == nullptr) return allocations.table != nullptr;
  std::memset(memory, 0, bytes);
  take_all(thread);
  release(thread);
  allocations.table = memory;
  allocations.log = log;
  thread.header->allocations = reinterpret_cast<std::uint64_t>(memory) + log;
  return true;
}

void AllocationCounts::take(events::EventThread& thread, AllocationEntry& entry) noexcept {
  const std::uint64_t count = load(entry.count);
  const std::uint64_t bytes = load(entry.bytes);
  if (count == entry.taken && bytes == entry.taken_bytes) return;
  take_(*thread.header, {entry.word, count - entry.taken, bytes - entry.taken_bytes});
  entry.taken = count;
  entry.taken_bytes = bytes;
}

void AllocationCounts::take_all(events::EventThread& thread) noexcept {
  if (thread.allocations.table == nullptr) return;
  const std::size_t entries = std::size_t{1} << thread.allocations.log;
  for (std::size_t i = 0; i < entries; ++i) take(thread, table_of(thread)[i]);
}

void AllocationCounts::release(events::EventThread& thread) noexcept {
  thread.header->allocations = 0;
  std::free(thread.allocations.table);
  thread.allocations.table = nullptr;
  thread.allocations.misses = 0;
}

void AllocationCounts::collect(events::EventThread& thread) noexcept {
  const std::lock_guard lock(thread.allocations.mutex);
  take_all(thread);
}

void AllocationCounts::end(events::EventThread& thread) noexcept {
  const std::lock_guard lock(thread.allocations.mutex);
  take_all(thread);
  release(thread);
  thread.allocations.is_open = false;
}

}  // namespace copse::ids
