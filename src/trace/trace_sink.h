// Where an agent's packets go when the stream itself is kept: one thread takes them from a queue
// and writes them to a trace.
//
// Order: packets and thread changes are written in the order in which they were submitted, and a
// recorder submits a thread's own in the order of their sequence, so the file has them in order.
// Memory: that of the packet pool. A producer that finds the pool empty writes queued packets
// itself; it may wait for a write that is under way.
// What waits for more than a second is written, so that a killed program leaves it.
// A write that fails stops nothing: what is not in the file is counted, packets go on being
// returned to their pool, and finish() tells.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

#include "base/status.h"
#include "shadowstack/packets/packet_pool.h"
#include "shadowstack/packets/packet_sink.h"
#include "trace/trace_writer.h"

namespace copse::trace {

class TraceSink final : public shadowstack::PacketSink {
 public:
  // Names that packets may use and that it has not returned before. Called before each packet is
  // written, on any thread, one at a time. Should be quick when there is nothing new.
  using NewNames = std::function<std::vector<NameRow>()>;

  // The pool must outlive the sink.
  TraceSink(std::unique_ptr<TraceWriter> writer, shadowstack::PacketPool& pool, NewNames new_names);
  ~TraceSink() override;

  void submit(shadowstack::Packet* packet) noexcept override;
  bool help() noexcept override;
  void thread_started(ThreadIndex thread, std::int64_t runtime_id,
                      std::string_view name) noexcept override;
  void thread_renamed(ThreadIndex thread, std::int64_t runtime_id,
                      std::string_view name) noexcept override;
  void thread_ended(ThreadIndex thread) noexcept override;

  struct Finished {
    std::uint64_t bytes = 0;       // of the file
    std::uint64_t calls_lost = 0;  // handed over, but not in the file
    Status first_failure;          // of a write; ok when everything is in the file
    Status end_written;            // not ok: the file has no end
  };
  // Writes what is queued, then the end, and ends the thread. Called once, when nobody submits any
  // more.
  Finished finish(EndInfo end);

 private:
  using Item = std::variant<shadowstack::Packet*, ThreadRow>;

  void add_row(ThreadChange change, ThreadIndex thread, std::int64_t runtime_id,
               std::string_view name) noexcept;
  bool add(Item item) noexcept;
  void write_until_told() noexcept;
  bool write_next() noexcept;
  void write(const Item& item);
  void stop() noexcept;

  shadowstack::PacketPool& pool_;
  const NewNames new_names_;
  std::atomic<std::uint64_t> calls_not_queued_{0};

  std::mutex writer_mutex_;  // taken before queue_mutex_; for the two below
  const std::unique_ptr<TraceWriter> writer_;
  Status first_failure_;

  std::mutex queue_mutex_;  // for all below but the thread
  std::condition_variable queued_;
  std::deque<Item> queue_;
  bool told_to_stop_ = false;

  std::thread thread_;  // last: it uses all of the above
};

}  // namespace copse::trace
