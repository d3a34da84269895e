// The thread table of a run: a row for every thread with a name, and one for all others together. A
// million virtual threads, which have no names by default, take no more memory than the live ones.
// A program that starts thousands of named threads an hour does not grow the table for ever either:
// after kMostEndedRows threads with a row have ended, further ended threads join the others.
//
// Thread-safe: one mutex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_record.h"
#include "base/ids.h"

namespace copse::shadowstack {

// An amount of a measure. `column`: number of the measure (cct/measured_contexts.h).
struct ColumnAmount {
  std::size_t column;
  std::uint64_t amount;
};

struct ThreadRow {
  ThreadIndex index{};  // kNoThread: the row of all others
  std::int64_t runtime_id = 0;
  std::string name;
  ContextKey first_key = 0;   // key of its first call without a recorded caller; 0: none, several
  std::uint64_t calls = 0;    // lost ones included
  std::uint64_t threads = 1;  // number of threads in the row
  std::vector<std::uint64_t> amounts =
      {};  // of the measures besides calls, by column; 0 beyond the end
};
inline constexpr ThreadIndex kNoThread{0xFFFF'FFFFu};
inline constexpr std::size_t kMostEndedRows = 10'000;
// Returns the name of the row of `threads` other threads.
std::string name_of_other_threads(std::uint64_t threads);

class ThreadRows {
 public:
  // Threads in list(): threads that made calls; or all, for runs that do not count calls.
  enum class Listed { kThatCalled, kAll };
  explicit ThreadRows(Listed listed = Listed::kThatCalled) : listed_(listed) {}
  ThreadRows(const ThreadRows& other);
  ThreadRows& operator=(const ThreadRows&) = delete;

  // Adds a thread and returns the next index. Throws std::bad_alloc.
  ThreadIndex add(std::int64_t runtime_id, std::string_view name);

  std::int64_t runtime_id(ThreadIndex thread) const noexcept;
  // Returns "" for a thread without a row. Throws std::bad_alloc.
  std::string name(ThreadIndex thread) const;
  // Changes the name; the old one stays without memory for the new one.
  void rename(ThreadIndex thread, std::string_view name) noexcept;
  void set_calls(ThreadIndex thread, ContextKey first_key, std::uint64_t calls) noexcept;
  // Adds calls, for threads that are counted in parts. Keeps a first key that is not 0.
  void add_calls(ThreadIndex thread, ContextKey first_key, std::uint64_t calls) noexcept;
  // Adds amounts of measures. Those of a thread that has no row any more are of all others; those of kNoThread,
  // and those that find no memory, are in no row.
  void add_amounts(ThreadIndex thread, std::span<const ColumnAmount> amounts) noexcept;
  // Forgets all calls and amounts so far.
  void forget_amounts() noexcept;
  // Forgets all threads. Changes of them do nothing from now on.
  void clear() noexcept;
  // Ends the thread; its calls are final.
  void end(ThreadIndex thread) noexcept;

  // Returns the rows of listed threads, in order of add(). The last row stands for all others and
  // gives their number.
  std::vector<ThreadRow> list() const;

 private:
  struct Others {
    std::uint64_t threads = 0;
    ContextKey first_key = 0;
    std::uint64_t calls = 0;
    std::vector<std::uint64_t> amounts = {};  // at least as long as that of each row
    void add(const ThreadRow& row) noexcept;
  };
  bool lists(const ThreadRow& row) const noexcept {
    return listed_ == Listed::kAll || row.calls != 0;
  }

  const Listed listed_;
  mutable std::mutex mutex_;                 // guards the members below
  std::map<std::uint32_t, ThreadRow> rows_;  // by index; without the threads in others_
  std::uint32_t next_ = 0;
  std::size_t ended_rows_ = 0;  // ended threads in rows_
  Others others_;
};

}  // namespace copse::shadowstack
