#include "shadowstack/kept_thread_rows.h"

#include <new>
#include <string>
#include <utility>

#include "base/make_room.h"
#include "shadowstack/in_this_order.h"

namespace copse {

KeptThreadRows::KeptThreadRows(MemorySource& memory) : rows_(memory, kMostRows) {
  if (!rows_.ensure(1)) throw std::bad_alloc();
}

void KeptThreadRows::start(KeptThreads& threads) noexcept {
  threads_ = &threads;
  threads.address = reinterpret_cast<std::uint64_t>(rows_.data());
  threads.count = 1;
}

std::optional<ThreadIndex> KeptThreadRows::begin(std::int64_t runtime_id,
                                                 std::string_view name) noexcept {
  ThreadIndex row{};
  if (free_.empty()) {
    try {
      make_room(free_, threads_->count + 1);  // so that end() never allocates
    } catch (const std::bad_alloc&) {
      return std::nullopt;
    }
    if (!rows_.ensure(threads_->count + 1)) return std::nullopt;
    row = ThreadIndex{static_cast<std::uint32_t>(threads_->count)};
  } else {
    row = ThreadIndex{free_.back()};
    free_.pop_back();
  }
  (*this)[row] = {};
  (*this)[row].runtime_id = runtime_id;
  (*this)[row].set_name(name);
  in_this_order();
  if (raw(row) == threads_->count) ++threads_->count;
  return row;
}

void KeptThreadRows::rename(ThreadIndex row, std::string_view name) noexcept {
  (*this)[row].set_name(name);
}

KeptThreadRow& KeptThreadRows::to_add_to(ThreadIndex row) noexcept {
  return (*this)[row].name_length == 0 ? rows_.data()[0] : (*this)[row];
}

void KeptThreadRows::end(ThreadIndex row) noexcept {
  KeptThreadRow& ended = (*this)[row];
  if (ended.name_length != 0 && ended_rows_ < kMostEndedRows) {
    ++ended_rows_;
    return;
  }
  KeptThreadRow& others = rows_.data()[0];
  if (ended.first_key != 0) {
    const bool first = others.runtime_id == 0;
    others.first_key = first || others.first_key == ended.first_key ? ended.first_key : 0;
    ++others.runtime_id;
  }
  others.calls += ended.calls;  // of the time when it had a name
  ended = {};
  free_.push_back(raw(row));
}

Result<std::vector<ThreadRow>> read_kept_threads(const SharedMemoryFile& memory,
                                                 const KeptThreads& threads) {
  const std::uint64_t wanted = threads.count * sizeof(KeptThreadRow);
  const auto bytes = memory.at(threads.address, wanted);
  if (threads.count > KeptThreadRows::kMostRows || (bytes.size != wanted && memory.is_whole()) ||
      threads.address % alignof(KeptThreadRow) != 0) {
    return Result<std::vector<ThreadRow>>::error(
        "the memory of the run: its threads are not all there");
  }
  const auto* kept = reinterpret_cast<const KeptThreadRow*>(bytes.data);
  std::vector<ThreadRow> rows;
  const std::uint64_t there = bytes.size / sizeof(KeptThreadRow);
  for (std::uint32_t i = 0; i < there; ++i) {
    const std::uint64_t length = std::min<std::uint64_t>(kept[i].name_length, kept[i].name.size());
    rows.push_back({ThreadIndex{i}, kept[i].runtime_id, std::string(kept[i].name.data(), length),
                    kept[i].first_key, kept[i].calls, 1});
  }
  for (std::uint64_t i = there; i < threads.count; ++i) {
    rows.push_back({ThreadIndex{static_cast<std::uint32_t>(i)}, 0, "", 0, 0, 1});
  }
  return rows;
}

void gather_other_threads(std::vector<ThreadRow>& rows) {
  std::erase_if(rows, [](const ThreadRow& row) { return row.calls == 0; });
  ThreadRow others{kNoThread, 0, "", 0, 0, 0};
  std::erase_if(rows, [&](const ThreadRow& row) {
    if (!row.name.empty()) return false;
    const std::uint64_t threads =
        raw(row.index) == 0 ? static_cast<std::uint64_t>(row.runtime_id) : 1;
    others.first_key = others.threads == 0 || others.first_key == row.first_key ? row.first_key : 0;
    others.calls += row.calls;
    others.threads += threads;
    return true;
  });
  if (others.threads == 0 && others.calls == 0) return;
  others.name = name_of_other_threads(others.threads);
  rows.push_back(std::move(others));
}

}  // namespace copse
