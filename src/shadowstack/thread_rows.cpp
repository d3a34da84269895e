#include "shadowstack/thread_rows.h"

#include <new>

namespace copse {

void ThreadRows::Unnamed::add(const ThreadRow& row) noexcept {
  if (row.calls == 0) return;
  first_key = threads == 0 || first_key == row.first_key ? row.first_key : 0;
  ++threads;
  calls += row.calls;
}

ThreadIndex ThreadRows::add(std::int64_t runtime_id, std::string_view name) {
  const ThreadIndex thread{next_};
  rows_[next_] = {thread, runtime_id, std::string(name), 0, 0};
  ++next_;
  return thread;
}

std::int64_t ThreadRows::runtime_id(ThreadIndex thread) const noexcept {
  const auto row = rows_.find(raw(thread));
  return row == rows_.end() ? 0 : row->second.runtime_id;
}

void ThreadRows::rename(ThreadIndex thread, std::string_view name) noexcept {
  const auto row = rows_.find(raw(thread));
  if (row == rows_.end()) return;
  try {
    row->second.name = name;
  } catch (const std::bad_alloc&) {
    // The old name stays.
  }
}

void ThreadRows::set_calls(ThreadIndex thread, ContextKey first_key, std::uint64_t calls) noexcept {
  const auto row = rows_.find(raw(thread));
  if (row == rows_.end()) return;
  row->second.first_key = first_key;
  row->second.calls = calls;
}

void ThreadRows::add_calls(ThreadIndex thread, ContextKey first_key, std::uint64_t calls) noexcept {
  const auto row = rows_.find(raw(thread));
  if (row == rows_.end()) return;
  if (row->second.first_key == 0) row->second.first_key = first_key;
  row->second.calls += calls;
}

void ThreadRows::end(ThreadIndex thread) noexcept {
  const auto row = rows_.find(raw(thread));
  if (row == rows_.end() || !row->second.name.empty()) return;
  ended_.add(row->second);
  rows_.erase(row);
}

std::vector<ThreadRow> ThreadRows::list() const {
  std::vector<ThreadRow> named;
  Unnamed unnamed = ended_;
  for (const auto& [index, row] : rows_) {
    if (row.calls == 0) continue;
    if (row.name.empty()) {
      unnamed.add(row);
    } else {
      named.push_back(row);
    }
  }
  if (unnamed.threads != 0) {
    named.push_back({kNoThread, 0, "threads without a name: " + std::to_string(unnamed.threads),
                     unnamed.first_key, unnamed.calls});
  }
  return named;
}

}  // namespace copse
