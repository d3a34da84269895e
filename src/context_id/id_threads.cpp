#include "context_id/id_threads.h"

#include <atomic>
#include <new>

#include "base/make_room.h"
#include "context_id/id_layout.h"

namespace copse {
namespace {

void store_word(ThreadHeader& header, std::uint64_t word) noexcept {
  std::atomic_ref<std::uint64_t>(header.word).store(word, std::memory_order_relaxed);
}

}  // namespace

IdThreads::IdThreads(MemorySource& memory, std::uint64_t lost_word)
    : lost_word_(lost_word), headers_(memory) {
  if (!headers_.ok()) throw std::bad_alloc();
  store_word(*nobodys(), lost_word);
}

ThreadHeader* IdThreads::attach(std::int64_t, std::string_view) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    ThreadHeader* header = nullptr;
    if (!free_headers_.empty()) {
      header = free_headers_.back();
      free_headers_.pop_back();
    } else {
      // Room for all, so that detach() never allocates.
      make_room(free_headers_, made_ + 1);
      header = headers_.add();
      if (header == nullptr) return nobodys();
      ++made_;
    }
    header->state = in_use();
    store_word(*header, kRootNumber);
    return header;
  } catch (const std::bad_alloc&) {
    return nobodys();
  }
}

void IdThreads::detach(ThreadHeader* header) noexcept {
  const std::lock_guard lock(mutex_);
  if (header->state != in_use()) return;
  header->state = nullptr;
  free_headers_.push_back(header);
}

}  // namespace copse
