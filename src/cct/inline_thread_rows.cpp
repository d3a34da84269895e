#include "cct/inline_thread_rows.h"

#include <new>

#include "base/make_room.h"

namespace copse {

InlineThreadRows::InlineThreadRows(MemorySource& memory) : rows_(memory, kMostRows) {
  if (!rows_.ensure(1)) throw std::bad_alloc();
}

void InlineThreadRows::start(InlineRun& run) noexcept {
  run_ = &run;
  run.threads = reinterpret_cast<std::uint64_t>(rows_.data());
  run.thread_count = 1;
}

std::optional<ThreadIndex> InlineThreadRows::begin(std::int64_t runtime_id,
                                                   std::string_view name) noexcept {
  ThreadIndex row{};
  if (free_.empty()) {
    try {
      make_room(free_, run_->thread_count + 1);  // so that end() never allocates
    } catch (const std::bad_alloc&) {
      return std::nullopt;
    }
    if (!rows_.ensure(run_->thread_count + 1)) return std::nullopt;
    row = ThreadIndex{static_cast<std::uint32_t>(run_->thread_count)};
  } else {
    row = ThreadIndex{free_.back()};
    free_.pop_back();
  }
  (*this)[row] = {};
  (*this)[row].runtime_id = runtime_id;
  (*this)[row].set_name(name);
  in_this_order();
  if (raw(row) == run_->thread_count) ++run_->thread_count;
  return row;
}

void InlineThreadRows::rename(ThreadIndex row, std::string_view name) noexcept {
  (*this)[row].set_name(name);
}

InlineThreadRow& InlineThreadRows::to_add_to(ThreadIndex row) noexcept {
  return (*this)[row].name_length == 0 ? rows_.data()[0] : (*this)[row];
}

void InlineThreadRows::end(ThreadIndex row) noexcept {
  InlineThreadRow& ended = (*this)[row];
  if (ended.name_length != 0) return;
  InlineThreadRow& unnamed = rows_.data()[0];
  if (ended.first_key != 0) {
    const bool first = unnamed.runtime_id == 0;
    unnamed.first_key = first || unnamed.first_key == ended.first_key ? ended.first_key : 0;
    ++unnamed.runtime_id;
  }
  // What was added to it while it had a name; after that the row could not be told from a new one.
  unnamed.calls += ended.calls;
  ended = {};
  free_.push_back(raw(row));
}

}  // namespace copse
