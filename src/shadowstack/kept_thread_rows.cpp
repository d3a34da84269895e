#include "shadowstack/kept_thread_rows.h"

#include <new>

#include "base/make_room.h"
#include "shadowstack/in_this_order.h"

namespace copse::shadowstack {

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

void KeptThreadRows::forget_calls() noexcept {
  for (std::uint64_t i = 0; i < threads_->count; ++i) rows_.data()[i].calls = 0;
  rows_.data()[0] = {};
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

}  // namespace copse::shadowstack
