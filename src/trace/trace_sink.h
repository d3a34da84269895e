// Sink of an agent's packets that keeps the stream itself: one thread takes packets from a queue
// and writes them to a trace.
//
// Order: packets and thread changes are written in the order of submission. A recorder submits
// those of a thread in the order of their sequence, so the file has them in order. Memory: that of
// the packet pool. A producer that finds the pool empty writes queued packets itself and may wait
// for a write under way. Packets that have waited for a second are written, so that a killed
// program leaves them. A failed write stops nothing: missing calls are counted, packets go on being
// returned to their pool, and finish() reports the failure.
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
  // Returns names that packets may use and that it has not returned before. Called before each
  // packet is written, on any thread, one at a time. Should be quick when there are none.
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
    std::uint64_t bytes = 0;       // size of the file
    std::uint64_t calls_lost = 0;  // handed over, but not in the file
    Status first_failure;          // first failed write; ok when everything is in the file
    Status end_written;            // not ok: the file has no end
  };
  // Writes the queue, then the end, and ends the thread. REQUIRES: called once, after the last
  // submit().
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

  std::mutex writer_mutex_;  // taken before queue_mutex_; guards writer_, first_failure_
  const std::unique_ptr<TraceWriter> writer_;
  Status first_failure_;

  std::mutex queue_mutex_;  // guards the members below except thread_
  std::condition_variable queued_;
  std::deque<Item> queue_;
  bool told_to_stop_ = false;

  std::thread thread_;  // last: it uses all other members
};

}  // namespace copse::trace
