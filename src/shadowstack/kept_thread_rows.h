// The threads of a run, in memory that outlives a killed process. As in the report (thread_rows.h),
// some threads have a row while they live and share one afterwards: threads without a name, and
// threads that end after kMostEndedRows others.
//
// REQUIRES: the caller holds a lock.
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

// Row of a thread. Row 0 stands for ended threads without a row of their own; its `runtime_id` is
// the number of such threads that made a call.
struct KeptThreadRow {
  std::int64_t runtime_id;
  ContextKey first_key;  // key of the first call without a recorded caller; 0: none
  std::uint64_t calls;   // added by the recorder so far
  std::uint64_t name_length;
  std::array<char, 96> name;  // cut off where it does not fit

  void set_name(std::string_view full) noexcept {
    name_length = std::min(full.size(), name.size());
    std::memcpy(name.data(), full.data(), name_length);
  }
};
static_assert(sizeof(KeptThreadRow) == 128);

// Address and number of the rows.
struct KeptThreads {
  std::uint64_t address;
  std::uint64_t count;
};

class KeptThreadRows {
 public:
  // Throws std::bad_alloc without memory to start with.
  explicit KeptThreadRows(MemorySource& memory);

  // Publishes the rows in `threads`, which later changes keep up to date.
  void start(KeptThreads& threads) noexcept;

  // Adds a thread and returns its row; std::nullopt without memory.
  std::optional<ThreadIndex> begin(std::int64_t runtime_id, std::string_view name) noexcept;
  void rename(ThreadIndex row, std::string_view name) noexcept;
  void end(ThreadIndex row) noexcept;
  // Forgets all calls so far.
  void forget_calls() noexcept;
  // Gives back all memory. No other function may follow.
  void release() noexcept { rows_.release(); }

  KeptThreadRow& operator[](ThreadIndex row) noexcept { return rows_.data()[raw(row)]; }
  // Returns the row to which the thread's calls are added when they are moved.
  KeptThreadRow& to_add_to(ThreadIndex row) noexcept;

  static constexpr std::size_t kMostRows = std::size_t{1} << 24;

 private:
  LazyArray<KeptThreadRow> rows_;
  KeptThreads* threads_ = nullptr;
  std::vector<std::uint32_t> free_;
  std::size_t ended_rows_ = 0;  // kept rows of ended threads
};

}  // namespace copse::shadowstack
