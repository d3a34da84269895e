// The thread table of a run: a row for every thread with a name, and one for all the others
// together, so that a million virtual threads, which have no names unless they are given one, take
// no more than those that are alive. A program that starts thousands of named ones an hour must not
// grow the table for ever either: when kMostEndedRows have ended, further ones are with the others.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_record.h"
#include "base/ids.h"

namespace copse::shadowstack {

struct ThreadRow {
  ThreadIndex index{};  // kNoThread: the row of all the others
  std::int64_t runtime_id = 0;
  std::string name;
  ContextKey first_key = 0;   // of its first call without a recorded caller; 0: none, or several
  std::uint64_t calls = 0;    // that it made, lost ones included
  std::uint64_t threads = 1;  // that the row stands for
};
inline constexpr ThreadIndex kNoThread{0xFFFF'FFFFu};
inline constexpr std::size_t kMostEndedRows = 10'000;
// The name of the row of `threads` others.
std::string name_of_other_threads(std::uint64_t threads);

class ThreadRows {
 public:
  // Where calls are not counted, all threads are listed.
  enum class Listed { kThatCalled, kAll };
  explicit ThreadRows(Listed listed = Listed::kThatCalled) : listed_(listed) {}

  // Indices are given out in order. Throws std::bad_alloc.
  ThreadIndex add(std::int64_t runtime_id, std::string_view name);

  std::int64_t runtime_id(ThreadIndex thread) const noexcept;
  // The old name stays when there is no memory for the new one.
  void rename(ThreadIndex thread, std::string_view name) noexcept;
  void set_calls(ThreadIndex thread, ContextKey first_key, std::uint64_t calls) noexcept;
  // For what is counted in parts: adds calls; the first key that is not 0 stays.
  void add_calls(ThreadIndex thread, ContextKey first_key, std::uint64_t calls) noexcept;
  // The thread has ended; its row is final.
  void end(ThreadIndex thread) noexcept;

  // Of threads that are listed, in order of add(); behind them the others, as one row
  // that tells how many they are.
  std::vector<ThreadRow> list() const;

 private:
  struct Others {
    std::uint64_t threads = 0;
    ContextKey first_key = 0;
    std::uint64_t calls = 0;
    void add(const ThreadRow& row) noexcept;
  };
  bool lists(const ThreadRow& row) const noexcept {
    return listed_ == Listed::kAll || row.calls != 0;
  }

  const Listed listed_;
  std::map<std::uint32_t, ThreadRow> rows_;  // by index; without those that have been added below
  std::uint32_t next_ = 0;
  std::size_t ended_rows_ = 0;  // of rows_
  Others others_;
};

}  // namespace copse::shadowstack
