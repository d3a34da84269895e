// Appends events to a file as they happen. Each thread's events wait until they fill a block, or flush() is called.
//
// A failed write stops nothing: lost events are counted, and finish() reports them.
// Thread-safe. Locks: the thread's, then the writer's.
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
  // Names not returned before; fast if there are none. One call at a time.
  struct News {
    std::function<std::vector<trace::NameRow>()> names;
    std::function<std::vector<trace::SkippedInfo>()> skipped;
    // Asked for at the first events of a thread.
    EventWriter::StartOf start_of = [](std::int64_t) { return std::nullopt; };
  };

  EventLog(std::unique_ptr<EventWriter> writer, News news)
      : writer_(std::move(writer)), news_(std::move(news)) {
    unknown_thread_.index = shadowstack::kNoThread;
    unknown_thread_.name = "(unknown)";
  }

  // Adds an event with the current time. `known`: nullptr for an unknown thread; all unknown threads are one thread in
  // the file. Cost: some 50 ns; one call in a thousand writes.
  void add(EventThread* known, LoggedEvent event) noexcept;
  // Handles the end of the thread: its waiting events become a block.
  void end(EventThread& thread) noexcept;
  // Makes a block of the waiting events, which write() then writes.
  void collect(EventThread& thread) noexcept;
  void collect_unknown() noexcept { collect(unknown_thread_); }
  void write() noexcept;

  struct Finished {
    std::uint64_t events = 0;  // in the file
    std::uint64_t lost = 0;
    std::uint64_t bytes = 0;
    Status failure;  // first failure of a write
    Status end_written;
  };
  // REQUIRES: called once, after every thread was collected; no thread adds events any more.
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

  std::mutex writer_mutex_;  // guards the two fields after it
  const std::unique_ptr<EventWriter> writer_;
  const News news_;
};

}  // namespace copse::events
