#include "encoders/events/event_threads.h"

#include <atomic>
#include <new>

namespace copse::events {
shadowstack::ThreadHeader* EventThreads::attach(std::int64_t runtime_thread_id,
                                                std::string_view name) noexcept {
  shadowstack::ThreadHeader* header = threads_.attach(runtime_thread_id, name);
  // Without memory a thread shares a header that has no state, and its events belong to no thread.
  if (header->state == nullptr) return header;
  try {
    start(*header, runtime_thread_id, name);
  } catch (const std::bad_alloc&) {
    // Its events count, but are not kept by thread.
  }
  return header;
}

void EventThreads::start(shadowstack::ThreadHeader& header, std::int64_t runtime_thread_id,
                         std::string_view name) {
  const std::lock_guard lock(mutex_);
  EventThread* thread = event_thread_of(&header);
  if (thread == nullptr) {
    thread = &rows_.emplace_back();
    thread->header = &header;
  }
  {
    const std::lock_guard counting(thread->allocations.mutex);
    thread->allocations.is_open = true;
  }
  {
    const std::lock_guard own(thread->mutex);
    thread->index = ThreadIndex{next_index_++};
    thread->runtime_id = runtime_thread_id;
    thread->is_in_file = false;
    thread->name.clear();
    thread->name = name;
  }
  thread->is_live = true;
  std::atomic_ref<std::uint64_t>(header.events)
      .store(reinterpret_cast<std::uint64_t>(thread), std::memory_order_release);
}

void EventThreads::for_each_live(const std::function<void(EventThread&)>& visit) {
  const std::lock_guard lock(mutex_);
  for (EventThread& thread : rows_) {
    if (thread.is_live) visit(thread);
  }
}

void EventThreads::hold(EventThread& thread,
                        const std::function<void(std::int64_t runtime_id)>& visit) {
  const std::lock_guard lock(mutex_);
  if (!thread.is_live) return;
  std::unique_lock own(thread.mutex);
  const std::int64_t runtime_id = thread.runtime_id;
  own.unlock();
  visit(runtime_id);
}

void EventThreads::rename(shadowstack::ThreadHeader* header, std::string_view name) noexcept {
  threads_.rename(header, name);
  EventThread* thread = event_thread_of(header);
  if (thread == nullptr) return;
  const std::lock_guard own(thread->mutex);
  if (thread->name == name) return;
  try {
    thread->name = name;
    thread->is_in_file = false;
  } catch (const std::bad_alloc&) {
    // The old name stays.
  }
}

void EventThreads::detach(shadowstack::ThreadHeader* header) noexcept {
  if (before_end_) before_end_(*header);
  if (EventThread* thread = event_thread_of(header); thread != nullptr) {
    const std::lock_guard lock(mutex_);
    if (thread->is_live) {
      if (at_end_) at_end_(*thread);
      if (log_ != nullptr) log_->end(*thread);
      thread->is_live = false;
    }
  }
  threads_.detach(header);
}

}  // namespace copse::events
