#include "encoders/ids/id_threads.h"

#include <atomic>
#include <new>

#include "base/make_room.h"
#include "encoders/ids/id_layout.h"
#include "encoders/ids/id_run.h"

namespace copse::ids {
namespace {

void store_word(shadowstack::ThreadHeader& header, std::uint64_t word) noexcept {
  std::atomic_ref<std::uint64_t>(header.word).store(word, std::memory_order_relaxed);
}

}  // namespace

IdThreads::IdThreads(shadowstack::MemorySource& memory, std::uint64_t lost_word)
    : lost_word_(lost_word), headers_(memory) {
  if (!headers_.ok()) throw std::bad_alloc();
  store_word(*unowned(), lost_word);
}

bool IdThreads::keep_in(shadowstack::MemorySource& memory,
                        shadowstack::KeptThreads& where) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    kept_ = std::make_unique<shadowstack::KeptThreadRows>(memory);
  } catch (const std::bad_alloc&) {
    return false;
  }
  kept_->start(where);
  return true;
}

shadowstack::ThreadHeader* IdThreads::attach(std::int64_t runtime_thread_id,
                                             std::string_view name) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    if (free_headers_.empty()) {
      // Room for all, so that detach() never allocates.
      make_room(free_headers_, made_ + 1);
      shadowstack::ThreadHeader* made = headers_.add();
      if (made == nullptr) return unowned();
      ++made_;
      free_headers_.push_back(made);
    }
    shadowstack::ThreadHeader* header = free_headers_.back();
    const Row made{rows_.add(runtime_thread_id, name), std::nullopt};
    Row& row = row_of_.emplace(header, made).first->second;
    free_headers_.pop_back();
    if (kept_ != nullptr) row.kept = kept_->begin(runtime_thread_id, name);
    if (row.kept) (*kept_)[*row.kept].first_key = kThreadInUse;
    header->state = in_use();
    store_word(*header, kRootNumber);
    return header;
  } catch (const std::bad_alloc&) {
    return unowned();
  }
}

void IdThreads::rename(shadowstack::ThreadHeader* header, std::string_view name) noexcept {
  const std::lock_guard lock(mutex_);
  const auto row = row_of_.find(header);
  if (row == row_of_.end()) return;
  rows_.rename(row->second.index, name);
  if (row->second.kept) kept_->rename(*row->second.kept, name);
}

void IdThreads::detach(shadowstack::ThreadHeader* header) noexcept {
  const std::lock_guard lock(mutex_);
  const auto row = row_of_.find(header);
  if (row == row_of_.end()) return;  // others may be using it
  rows_.end(row->second.index);
  if (row->second.kept) kept_->end(*row->second.kept);
  row_of_.erase(row);
  header->state = nullptr;
  free_headers_.push_back(header);
}

std::vector<shadowstack::ThreadRow> IdThreads::threads() const {
  const std::lock_guard lock(mutex_);
  return rows_.list();
}

}  // namespace copse::ids
