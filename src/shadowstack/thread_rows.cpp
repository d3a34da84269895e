#include "shadowstack/thread_rows.h"

#include <algorithm>
#include <new>

namespace copse::shadowstack {

std::string name_of_other_threads(std::uint64_t threads) {
  return "other threads: " + std::to_string(threads);
}

void ThreadRows::Others::add(const ThreadRow& row) noexcept {
  first_key = threads == 0 || first_key == row.first_key ? row.first_key : 0;
  ++threads;
  calls += row.calls;
  for (std::size_t i = 0; i < row.amounts.size(); ++i) amounts[i] += row.amounts[i];
}

ThreadRows::ThreadRows(const ThreadRows& other) : listed_(other.listed_) {
  const std::lock_guard lock(other.mutex_);
  rows_ = other.rows_;
  next_ = other.next_;
  ended_rows_ = other.ended_rows_;
  others_ = other.others_;
}

ThreadIndex ThreadRows::add(std::int64_t runtime_id, std::string_view name) {
  const std::lock_guard lock(mutex_);
  while (next_ == raw(kNoThread) || rows_.contains(next_)) ++next_;  // after four billion threads
  const ThreadIndex thread{next_};
  rows_[next_] = {thread, runtime_id, std::string(name)};
  ++next_;
  return thread;
}

std::int64_t ThreadRows::runtime_id(ThreadIndex thread) const noexcept {
  const std::lock_guard lock(mutex_);
  const auto row = rows_.find(raw(thread));
  return row == rows_.end() ? 0 : row->second.runtime_id;
}

std::string ThreadRows::name(ThreadIndex thread) const {
  const std::lock_guard lock(mutex_);
  const auto row = rows_.find(raw(thread));
  return row == rows_.end() ? "" : row->second.name;
}

void ThreadRows::rename(ThreadIndex thread, std::string_view name) noexcept {
  const std::lock_guard lock(mutex_);
  const auto row = rows_.find(raw(thread));
  if (row == rows_.end()) return;
  try {
    row->second.name = name;
  } catch (const std::bad_alloc&) {
    // The old name stays.
  }
}

void ThreadRows::set_calls(ThreadIndex thread, ContextKey first_key, std::uint64_t calls) noexcept {
  const std::lock_guard lock(mutex_);
  const auto row = rows_.find(raw(thread));
  if (row == rows_.end()) return;
  row->second.first_key = first_key;
  row->second.calls = calls;
}

void ThreadRows::add_calls(ThreadIndex thread, ContextKey first_key, std::uint64_t calls) noexcept {
  const std::lock_guard lock(mutex_);
  const auto row = rows_.find(raw(thread));
  if (row == rows_.end()) return;
  if (row->second.first_key == 0) row->second.first_key = first_key;
  row->second.calls += calls;
}

void ThreadRows::clear() noexcept {
  const std::lock_guard lock(mutex_);
  rows_.clear();
  others_ = {};
}

void ThreadRows::forget_amounts() noexcept {
  const std::lock_guard lock(mutex_);
  for (auto& [index, row] : rows_) {
    row.calls = 0;
    row.amounts.clear();
  }
  others_ = {};
}

void ThreadRows::add_amounts(ThreadIndex thread, std::span<const ColumnAmount> amounts) noexcept {
  if (thread == kNoThread) return;
  const std::lock_guard lock(mutex_);
  const auto row = rows_.find(raw(thread));
  std::vector<std::uint64_t>& sums = row == rows_.end() ? others_.amounts : row->second.amounts;
  try {
    for (const auto& [column, amount] : amounts) {
      others_.amounts.resize(std::max(others_.amounts.size(), column + 1));
      sums.resize(std::max(sums.size(), column + 1));
      sums[column] += amount;
    }
  } catch (const std::bad_alloc&) {
    // They are in no row.
  }
}

void ThreadRows::end(ThreadIndex thread) noexcept {
  const std::lock_guard lock(mutex_);
  const auto row = rows_.find(raw(thread));
  if (row == rows_.end()) return;
  if (!row->second.name.empty() && ended_rows_ < kMostEndedRows) {
    ++ended_rows_;
    return;
  }
  if (lists(row->second)) others_.add(row->second);
  rows_.erase(row);
}

std::vector<ThreadRow> ThreadRows::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<ThreadRow> named;
  Others others = others_;
  for (const auto& [index, row] : rows_) {
    if (!lists(row)) continue;
    if (row.name.empty()) {
      others.add(row);
    } else {
      named.push_back(row);
    }
  }
  if (others.threads != 0) {
    named.push_back({kNoThread, 0, name_of_other_threads(others.threads), others.first_key,
                     others.calls, others.threads, others.amounts});
  }
  return named;
}

}  // namespace copse::shadowstack
