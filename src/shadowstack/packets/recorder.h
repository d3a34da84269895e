// The producer side of a profiling run: gives threads their headers and packets, keeps each
// thread's frame chain, hands full packets to a sink. Agents own one; probes know nothing but
// headers.
//
// The shadow stack costs nothing per call: the chain is brought up to date from a packet's records
// when the packet is handed over.
//
// Locks: one mutex for the tables, one per thread taken only on its slow path (once per packet),
// because close() may hand over a packet while its thread is there. Order: tables, then thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/call_record.h"
#include "shadowstack/header_region.h"
#include "shadowstack/kept_thread_rows.h"
#include "shadowstack/object_region.h"
#include "shadowstack/packets/packet_pool.h"
#include "shadowstack/packets/packet_sink.h"
#include "shadowstack/packets/thread_recorder.h"
#include "shadowstack/thread_header.h"
#include "shadowstack/thread_state.h"

namespace copse::shadowstack {

class Recorder final : public ThreadRecorder {
 public:
  // Both must outlive every thread that may still run a probe. Everything is in the pool's memory.
  // Throws std::bad_alloc when there is no memory to start with; nothing else here throws.
  Recorder(PacketPool& pool, PacketSink& sink);
  ~Recorder() override;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // A shared header's records are counted as lost at each wrap of its packet.
  ThreadHeader* attach(std::int64_t runtime_thread_id, std::string_view name) noexcept override;

  // Whether it is what attach() gives for lack of memory.
  bool is_shared(const ThreadHeader* header) const noexcept { return header->state == &states_[0]; }

  // The probe's slow path: hands over the full packet, if there is one, and returns the new cursor,
  // also left in the header. Called by: the header's thread. Folds queued packets itself when the
  // pool is short of packets.
  std::uint64_t next_packet(ThreadHeader* header) noexcept;

  void rename(ThreadHeader* header, std::string_view name) noexcept override;

  // Once many threads hold packets: hands over what this one has appended and takes its packet; its
  // next record asks for another. So a hundred thousand that wait hold no more than a few hundred.
  void park(ThreadHeader* header) noexcept override;

  // Hands over the thread's tail.
  void detach(ThreadHeader* header) noexcept override;

  // Before the first thread: told of a thread whose packet is about to be handed over, so that nobody
  // can tell any more where it stood in it. Called by: that thread, or who parks it, without a lock.
  void before_packets_go(std::function<void(const ThreadHeader&)> task) {
    before_packets_go_ = std::move(task);
  }
  // Whether a callee that its caller's call site calls leaves the thread's word as it is.
  using IsLeafOf = std::function<bool(MethodId caller, SiteOrdinal site, MethodId callee)>;
  enum class Path {
    kKnown,
    kNoCalls,  // the thread made none yet
    kLost,     // the place is of records that were handed over, or there was no memory
    kEnded,    // recording has, for the thread
  };
  // The frames of a thread where it stood, outermost first; with a method in its word, that of its
  // next call, too. Any thread. Throws std::bad_alloc. Cost: a scan back over the packet, one step
  // per frame.
  Path path_of(const ThreadHeader& header, const ThreadPlace& place, const IsLeafOf& is_leaf_of,
               std::vector<ContextKey>& path) const;

  // Hands over what every live thread has appended so far.
  void close() noexcept override;
  // The same, and recording goes on. What finds no free packet stays for a later time.
  void flush() noexcept;

  // Before close() up to what lies in the threads' packets.
  std::uint64_t calls_seen() const noexcept override {
    return calls_seen_.load(std::memory_order_relaxed);
  }
  std::uint64_t calls_lost() const noexcept override {
    return calls_lost_.load(std::memory_order_relaxed);
  }
  std::uint64_t packets() const noexcept override {
    return packets_.load(std::memory_order_relaxed);
  }
  std::vector<ThreadRow> threads() const override;

 private:
  ThreadState* new_state() noexcept;
  std::uint32_t appended(const ThreadHeader& header) const noexcept;
  std::uint64_t first_slot(const Packet* packet) const noexcept;
  bool hand_over(ThreadState& state, Packet* packet, std::uint32_t count,
                 ThreadPosition after) noexcept;
  void submit_or_release(Packet* packet, bool handed_over) noexcept;
  void lose(ThreadState& state, std::uint32_t count, ThreadPosition after) noexcept;
  void lose_packet(ThreadState& state, std::uint32_t count) noexcept;
  Packet* first_packet() noexcept;
  void take_packet(ThreadState& state, std::uint32_t count) noexcept;
  Packet* copy_of_appended(const ThreadState& state, std::uint32_t count) noexcept;
  void end_row(ThreadState& state) noexcept;
  // Records of a thread's packet up to a place, and the frames that are live at the first of them.
  struct RecordsBefore {
    std::span<const CallRecord> records;
    const FrameChain* chain;
    bool chain_known;
  };
  std::optional<RecordsBefore> records_before(const ThreadState& state,
                                              const ThreadPlace& place) const noexcept;
  void close_thread(ThreadState& state) noexcept;
  void flush_thread(ThreadState& state) noexcept;

  PacketPool& pool_;
  PacketSink& sink_;
  std::unique_ptr<CallRecord[]> scratch_memory_;
  CallRecord* scratch_ = nullptr;  // a packet's room for records that nobody can keep

  std::function<void(const ThreadHeader&)> before_packets_go_;  // constant; may be none

  std::atomic<std::uint64_t> calls_seen_{0};
  std::atomic<std::uint64_t> calls_lost_{0};
  std::atomic<std::uint64_t> packets_{0};

  mutable std::mutex mutex_;
  HeaderRegion headers_;                      // adding under mutex_, as all below
  mutable ObjectRegion<ThreadState> states_;  // one per header ever used; the first one is nobody's
  bool closed_ = false;
  std::vector<ThreadState*> free_states_;
  ThreadRows rows_;
  KeptThreadRows kept_rows_;
};

}  // namespace copse::shadowstack
