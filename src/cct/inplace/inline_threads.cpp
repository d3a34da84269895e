#include "cct/inplace/inline_threads.h"

#include <new>
#include <optional>
#include <utility>

#include "base/make_room.h"

namespace copse::cct {

InlineThreads::InlineThreads(shadowstack::MemorySource& memory, InlineTrees& recording,
                             InlineRegion& region, const std::shared_ptr<MergedMethods>& merged,
                             const InlineThreads* before)
    : recording_(recording),
      region_(region),
      merged_(merged),
      headers_(before != nullptr
                   ? before->headers_
                   : std::make_shared<shadowstack::HeaderRegion>(shadowstack::anonymous_memory())),
      unowned_header_(headers_->add()),
      kept_rows_(memory) {
  if (unowned_header_ == nullptr) throw std::bad_alloc();
  store_slot_of(unowned_header(), region.unowned().entry);
  unowned_header().unowned = region.unowned_address();
}

InlineThread* InlineThreads::free_or_new() {
  if (!free_.empty()) {
    InlineThread* const thread = free_.back();
    free_.pop_back();
    return thread;
  }
  auto thread = std::make_unique<InlineThread>(recording_, region_, merged_);
  // Room for all, so that end() never allocates.
  make_room(free_, threads_.size() + 1);
  make_room(threads_, threads_.size() + 1);
  thread->header = headers_->add();
  if (thread->header == nullptr) throw std::bad_alloc();
  threads_.push_back(std::move(thread));
  return threads_.back().get();
}

InlineThread* InlineThreads::begin(std::int64_t runtime_id, std::string_view name, MethodId group) {
  const ThreadIndex index = rows_.add(runtime_id, name);
  const std::optional<ThreadIndex> row = kept_rows_.begin(runtime_id, name);
  if (!row) return nullptr;
  InlineThread* const thread = free_or_new();
  const std::lock_guard lock(thread->mutex);
  thread->row = *row;
  thread->tree.belong_to(*row, group);
  const std::uint64_t root = thread->tree.root_slot();
  if (root == 0) {
    free_.push_back(thread);
    kept_rows_.end(*row);
    return nullptr;
  }
  thread->live = true;
  thread->closed = closed_;
  thread->lost_track = thread->misses_slices = false;
  thread->index = index;
  live_.fetch_add(1, std::memory_order_relaxed);
  thread->header->state = reinterpret_cast<shadowstack::ThreadState*>(thread);
  thread->header->unowned = region_.unowned_address();
  store_slot_of(*thread->header, root);
  return thread;
}

void InlineThreads::release() noexcept {
  each([](InlineThread& thread) {
    thread.tree.forget();
    thread.slice = {};
    thread.known = {};
  });
  rows_.clear();
  kept_rows_.release();
}

void InlineThreads::end(InlineThread& thread) noexcept {
  rows_.end(thread.index);
  kept_rows_.end(thread.row);
  store_slot_of(*thread.header, region_.unowned().entry);
  thread.tree.clear();
  thread.slice = {};
  thread.live = false;
  live_.fetch_sub(1, std::memory_order_relaxed);
  free_.push_back(&thread);
}

}  // namespace copse::cct
