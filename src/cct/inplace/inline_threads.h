// Registry of the threads of a recording with trees in place: their headers, and their rows in the
// report and in the kept memory.
//
// REQUIRES: the caller holds `mutex`, except for live_count() and unowned_header().
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "cct/inplace/inline_thread.h"
#include "shadowstack/header_region.h"
#include "shadowstack/kept_thread_rows.h"
#include "shadowstack/memory_source.h"
#include "shadowstack/thread_rows.h"

namespace copse::cct {

class InlineThreads {
 public:
  // `recording`, `region`, `merged`: of each thread. `before`: those of an earlier recording, in whose region the headers
  // are, too; nullptr means none. Throws std::bad_alloc.
  InlineThreads(shadowstack::MemorySource& memory, InlineTrees& recording, InlineRegion& region,
                const std::shared_ptr<MergedMethods>& merged, const InlineThreads* before);

  // Guards this object, the master and the excerpts of a recording. Locked before any thread's.
  mutable std::mutex mutex;

  // Publishes the rows for a reader of a killed process's memory.
  void keep_in(shadowstack::KeptThreads& kept) noexcept { kept_rows_.start(kept); }

  // Header of all threads that find no memory.
  shadowstack::ThreadHeader& unowned_header() const noexcept { return *unowned_header_; }

  // Adds a thread whose contexts hang below `group`; kNoMethod means below ROOT. Returns nullptr if
  // a part of the memory is missing. Throws std::bad_alloc.
  InlineThread* begin(std::int64_t runtime_id, std::string_view name, MethodId group);
  // Removes a thread whose counts are in the master. Its memory goes to the next one. REQUIRES: the
  // caller also holds the thread's mutex.
  void end(InlineThread& thread) noexcept;
  // Ends recording for threads that begin from now on.
  void close() noexcept { closed_ = true; }
  bool are_closed() const noexcept { return closed_; }
  // Gives back all memory but that of headers, which probes may hold. REQUIRES: all threads are closed. begin(), end() and
  // rename() must not follow.
  void release() noexcept;

  std::uint64_t live_count() const noexcept {
    return std::max<std::uint64_t>(1, live_.load(std::memory_order_relaxed));
  }

  // Calls `task` with every thread, or with those whose trees have counts, under its mutex.
  template <typename Task>
  void each(Task task) const {
    for (const auto& thread : threads_) {
      const std::lock_guard lock(thread->mutex);
      task(*thread);
    }
  }
  template <typename Task>
  void each_counting(Task task) const {
    each([&](InlineThread& thread) {
      if (thread.is_counting()) task(thread);
    });
  }
  // Returns the first thread that passes `test`, under its mutex; nullptr if none does.
  template <typename Test>
  InlineThread* find(Test test) const {
    for (const auto& thread : threads_) {
      const std::lock_guard lock(thread->mutex);
      if (test(*thread)) return thread.get();
    }
    return nullptr;
  }
  // Does the same as each_counting() without `left_out`, whose mutex the caller may hold.
  template <typename Task>
  void each_counting_but(const InlineThread& left_out, Task task) const {
    for (const auto& thread : threads_) {
      if (thread.get() == &left_out) continue;
      const std::lock_guard lock(thread->mutex);
      if (thread->is_counting()) task(*thread);
    }
  }

  void rename(const InlineThread& thread, std::string_view name) noexcept {
    rows_.rename(thread.index, name);
    kept_rows_.rename(thread.row, name);
  }
  // Forgets the calls of all rows.
  void forget_calls() noexcept {
    rows_.forget_amounts();
    kept_rows_.forget_calls();
  }
  shadowstack::ThreadRows& rows() noexcept { return rows_; }
  const shadowstack::ThreadRows& rows() const noexcept { return rows_; }
  shadowstack::KeptThreadRow& kept_row_to_add_to(const InlineThread& thread) noexcept {
    return kept_rows_.to_add_to(thread.row);
  }
  // Notes the thread's first call in the kept memory. Needs only the thread's mutex. A tree that was
  // forgotten knows none.
  void keep_first_key(const InlineThread& thread) noexcept {
    if (!thread.closed) kept_rows_[thread.row].first_key = thread.tree.first_key();
  }

 private:
  InlineThread* free_or_new();

  InlineTrees& recording_;
  InlineRegion& region_;
  const std::shared_ptr<MergedMethods> merged_;
  const std::shared_ptr<shadowstack::HeaderRegion>
      headers_;  // outside the kept memory: readers need none
  shadowstack::ThreadHeader* const unowned_header_;
  shadowstack::KeptThreadRows kept_rows_;
  shadowstack::ThreadRows rows_;
  std::vector<std::unique_ptr<InlineThread>> threads_;  // one per header ever used
  std::vector<InlineThread*> free_;
  std::atomic<std::uint64_t> live_{0};
  bool closed_ = false;
};

// The header's word is the slot in which the thread's next callee hangs.
inline void store_slot_of(shadowstack::ThreadHeader& header, std::uint64_t slot) noexcept {
  std::atomic_ref<std::uint64_t>(header.word).store(slot, std::memory_order_relaxed);
}

}  // namespace copse::cct
