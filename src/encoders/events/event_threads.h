// Threads of a run that keeps events by thread: gives an EventThread to each header that the recorder of threads hands
// out.
//
// Thread-safe. Locks: one mutex for the living threads; taken before that of an EventThread.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string_view>
#include <vector>

#include "encoders/events/event_log.h"
#include "encoders/events/event_thread.h"
#include "shadowstack/packets/thread_recorder.h"

namespace copse::events {

class EventThreads final : public shadowstack::ThreadRecorder {
 public:
  // `threads`: owner of the headers. `log`: receiver of the events, or nullptr.
  EventThreads(shadowstack::ThreadRecorder& threads, EventLog* log)
      : threads_(threads), log_(log) {}

  // Sets the functions that each thread calls at its end, while its header is still its own. The first may add events
  // of any thread; the second is called only for threads whose events are kept. REQUIRES: no thread is attached yet.
  void before_end(std::function<void(shadowstack::ThreadHeader&)> task) {
    before_end_ = std::move(task);
  }
  void at_end(std::function<void(EventThread&)> task) { at_end_ = std::move(task); }
  void for_each_live(const std::function<void(EventThread&)>& visit);
  // Calls `visit` with the thread's runtime id unless the thread has ended. The thread cannot end during the call.
  void hold(EventThread& thread, const std::function<void(std::int64_t runtime_id)>& visit);

  shadowstack::ThreadHeader* attach(std::int64_t runtime_thread_id,
                                    std::string_view name) noexcept override;
  void rename(shadowstack::ThreadHeader* header, std::string_view name) noexcept override;
  void park(shadowstack::ThreadHeader* header) noexcept override { threads_.park(header); }
  void detach(shadowstack::ThreadHeader* header) noexcept override;
  void close() noexcept override { threads_.close(); }

  std::uint64_t calls_seen() const noexcept override { return threads_.calls_seen(); }
  std::uint64_t calls_lost() const noexcept override { return threads_.calls_lost(); }
  std::uint64_t packets() const noexcept override { return threads_.packets(); }
  std::vector<shadowstack::ThreadRow> threads() const override { return threads_.threads(); }

 private:
  void start(shadowstack::ThreadHeader& header, std::int64_t runtime_thread_id,
             std::string_view name);

  shadowstack::ThreadRecorder& threads_;
  EventLog* const log_;
  std::function<void(shadowstack::ThreadHeader&)> before_end_;
  std::function<void(EventThread&)> at_end_;

  std::mutex mutex_;  // guards the fields after it
  std::deque<EventThread> rows_;
  std::uint32_t next_index_ = 0;
};

}  // namespace copse::events
