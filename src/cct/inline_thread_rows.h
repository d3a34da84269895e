// The threads of a run, where they outlive a killed process (inline_run.h). As in the report
// (thread_rows.h), threads without a name, and those that end when many have, have a row while they
// live and share one afterwards.
//
// Threads: the caller's lock.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "cct/inline_run.h"
#include "cct/lazy_array.h"

namespace copse {

class InlineThreadRows {
 public:
  // Throws std::bad_alloc without memory to start with.
  explicit InlineThreadRows(MemorySource& memory);

  // `run`: where it is said how many there are.
  void start(InlineRun& run) noexcept;

  // The thread's row; nothing when there is no memory.
  std::optional<ThreadIndex> begin(std::int64_t runtime_id, std::string_view name) noexcept;
  void rename(ThreadIndex row, std::string_view name) noexcept;
  void end(ThreadIndex row) noexcept;

  InlineThreadRow& operator[](ThreadIndex row) noexcept { return rows_.data()[raw(row)]; }
  // The row that the thread's calls are added to when they are moved.
  InlineThreadRow& to_add_to(ThreadIndex row) noexcept;

 private:
  static constexpr std::size_t kMostRows = std::size_t{1} << 24;

  LazyArray<InlineThreadRow> rows_;
  InlineRun* run_ = nullptr;
  std::vector<std::uint32_t> free_;
  std::size_t ended_rows_ = 0;  // that are kept
};

}  // namespace copse
