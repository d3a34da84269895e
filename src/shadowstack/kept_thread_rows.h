// The threads of a run, in memory that outlives a killed process. As in the report (thread_rows.h),
// threads without a name, and those that end when many have, have a row while they live and share
// one afterwards.
//
// Threads: the caller's lock.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "base/call_record.h"
#include "base/ids.h"
#include "shadowstack/lazy_array.h"
#include "shadowstack/memory_source.h"
#include "shadowstack/thread_rows.h"

namespace copse::shadowstack {

// Row 0 is of ended threads without a row of their own: `runtime_id` is how many of them made a
// call.
struct KeptThreadRow {
  std::int64_t runtime_id;
  ContextKey first_key;  // of its first call without a recorded caller; 0: none
  std::uint64_t calls;   // that its recorder has added so far
  std::uint64_t name_length;
  std::array<char, 96> name;  // as much of it as has room

  void set_name(std::string_view full) noexcept {
    name_length = std::min(full.size(), name.size());
    std::memcpy(name.data(), full.data(), name_length);
  }
};
static_assert(sizeof(KeptThreadRow) == 128);

// Where they are.
struct KeptThreads {
  std::uint64_t address;
  std::uint64_t count;
};

class KeptThreadRows {
 public:
  // Throws std::bad_alloc without memory to start with.
  explicit KeptThreadRows(MemorySource& memory);

  // `threads`: where it is said how many there are.
  void start(KeptThreads& threads) noexcept;

  // The thread's row; nothing when there is no memory.
  std::optional<ThreadIndex> begin(std::int64_t runtime_id, std::string_view name) noexcept;
  void rename(ThreadIndex row, std::string_view name) noexcept;
  void end(ThreadIndex row) noexcept;

  KeptThreadRow& operator[](ThreadIndex row) noexcept { return rows_.data()[raw(row)]; }
  // The row that the thread's calls are added to when they are moved.
  KeptThreadRow& to_add_to(ThreadIndex row) noexcept;

  static constexpr std::size_t kMostRows = std::size_t{1} << 24;

 private:
  LazyArray<KeptThreadRow> rows_;
  KeptThreads* threads_ = nullptr;
  std::vector<std::uint32_t> free_;
  std::size_t ended_rows_ = 0;  // that are kept
};

}  // namespace copse::shadowstack
