// Appends events to a file as they happen: each thread's own wait until they are a block, or
// flush() is called.
//
// A write that fails stops nothing: what is not in the file is counted, and finish() tells.
// Threads: any. Locks: the thread's, then one for the writer.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "encoders/events/event_thread.h"
#include "encoders/events/event_writer.h"
#include "shadowstack/thread_rows.h"

namespace copse::events {

class EventLog {
 public:
  // What was not returned before, quickly when there is nothing new. Asked one at a time.
  struct News {
    std::function<std::vector<trace::NameRow>()> names;
    std::function<std::vector<trace::SkippedInfo>()> skipped;
  };

  EventLog(std::unique_ptr<EventWriter> writer, News news)
      : writer_(std::move(writer)), news_(std::move(news)) {
    unknown_thread_.index = shadowstack::kNoThread;
    unknown_thread_.name = "(unknown)";
  }

  // Cost: some 50 ns; once in a thousand a write. `known` null: one that nobody knows; all of these
  // are one thread in the file. Its time is now.
  void add(EventThread* known, LoggedEvent event) noexcept;
  // The thread has ended: what waits becomes a block.
  void end(EventThread& thread) noexcept;
  // What waits becomes a block, which write() then writes.
  void collect(EventThread& thread) noexcept;
  void collect_unknown() noexcept { collect(unknown_thread_); }
  void write() noexcept;

  struct Finished {
    std::uint64_t events = 0;  // in the file
    std::uint64_t lost = 0;
    std::uint64_t bytes = 0;
    Status failure;  // the first of a write
    Status end_written;
  };
  // Called once, when every thread was collected and none adds any more.
  Finished finish(double wall_ms, std::vector<std::string> notes);

 private:
  static constexpr std::size_t kEventsPerBlock = 1024;

  std::uint64_t now_ns() const noexcept;
  void make_block(EventThread& thread) noexcept;

  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  struct Seen {
    std::atomic<std::uint64_t> events{0};
    std::atomic<std::uint64_t> weight{0};
  };
  std::array<Seen, kEventKinds> seen_;
  EventThread unknown_thread_;

  std::mutex writer_mutex_;  // of the two below
  const std::unique_ptr<EventWriter> writer_;
  const News news_;
};

}  // namespace copse::events
