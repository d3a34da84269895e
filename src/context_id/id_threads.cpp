#include "context_id/id_threads.h"

#include <atomic>
#include <new>
#include <string>

#include "context_id/id_layout.h"

namespace copse {
namespace {

void store_word(ThreadHeader& header, std::uint64_t word) noexcept {
  std::atomic_ref<std::uint64_t>(header.word).store(word, std::memory_order_relaxed);
}

}  // namespace

IdThreads::IdThreads(MemorySource& memory, std::uint64_t lost_word) : headers_(memory) {
  if (!headers_.ok()) throw std::bad_alloc();
  store_word(*nobodys(), lost_word);
}

ThreadHeader* IdThreads::attach(std::int64_t runtime_thread_id, std::string_view name) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    rows_.push_back({ThreadIndex{static_cast<std::uint32_t>(rows_.size())}, runtime_thread_id,
                     std::string(name), 0, 0});
    ThreadHeader* header = nullptr;
    if (!free_headers_.empty()) {
      header = free_headers_.back();
      free_headers_.pop_back();
    } else {
      // Room for all, so that detach() never allocates.
      free_headers_.reserve(rows_.size());
      header = headers_.add();
      if (header == nullptr) return nobodys();
    }
    header->state = reinterpret_cast<ThreadState*>(rows_.size());
    store_word(*header, kRootNumber);
    return header;
  } catch (const std::bad_alloc&) {
    return nobodys();
  }
}

ThreadRecorder::ThreadRow* IdThreads::row_of(ThreadHeader* header) noexcept {
  const auto row = reinterpret_cast<std::uintptr_t>(header->state);
  return row == 0 ? nullptr : &rows_[row - 1];
}

void IdThreads::rename(ThreadHeader* header, std::string_view name) noexcept {
  const std::lock_guard lock(mutex_);
  ThreadRow* row = row_of(header);
  if (row == nullptr) return;
  try {
    row->name = name;
  } catch (const std::bad_alloc&) {
    // The old name stays.
  }
}

void IdThreads::detach(ThreadHeader* header) noexcept {
  const std::lock_guard lock(mutex_);
  if (row_of(header) == nullptr) return;
  header->state = nullptr;
  free_headers_.push_back(header);
}

std::vector<ThreadRecorder::ThreadRow> IdThreads::threads() const {
  const std::lock_guard lock(mutex_);
  return rows_;
}

}  // namespace copse
