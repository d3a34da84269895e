// The producer side of a profiling run: gives threads their headers and packets, keeps each
// thread's frame chain, and hands full packets to a sink. Agents own a recorder; probes know
// headers alone.
//
// The shadow stack costs nothing per call: a packet's records bring the chain up to date when the
// packet is handed over.
//
// Locks: one mutex for the tables, and one per thread, taken only on its slow path (once per
// packet), because close() may hand over a packet while its thread is there. Order: tables, then
// thread.
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
  // Makes a recorder whose state is in the pool's memory. Both arguments must outlive every thread
  // that may still run a probe. Throws std::bad_alloc when there is no memory to start with; no
  // other function here throws, except path_of().
  Recorder(PacketPool& pool, PacketSink& sink);
  ~Recorder() override;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Returns the shared header without memory. Its records are counted as lost at each wrap of its
  // packet.
  ThreadHeader* attach(std::int64_t runtime_thread_id, std::string_view name) noexcept override;

  // Returns true for the header that attach() returns without memory.
  bool is_shared(const ThreadHeader* header) const noexcept { return header->state == &states_[0]; }

  // Hands over the full packet, if there is one, and returns the new cursor, also stored in the
  // header: the probe's slow path. Folds queued packets itself when the pool is short of packets.
  // Called by: the header's thread.
  std::uint64_t next_packet(ThreadHeader* header) noexcept;

  void rename(ThreadHeader* header, std::string_view name) noexcept override;

  // Hands over the thread's records and takes its packet away, if many threads hold packets. The
  // thread's next record asks for another packet. A hundred thousand waiting threads therefore hold
  // only a few hundred packets.
  void park(ThreadHeader* header) noexcept override;

  // Hands over the thread's remaining records.
  void detach(ThreadHeader* header) noexcept override;

  // Sets the task to run before a thread's packet is handed over and its places in the packet are
  // lost. REQUIRES: no thread has started. The task is called by that thread, or by the thread that
  // parks it, without a lock.
  void before_packets_go(std::function<void(const ThreadHeader&)> task) {
    before_packets_go_ = std::move(task);
  }
  // Returns true if a callee called at that site leaves the thread's word as it is.
  using IsLeafOf = std::function<bool(MethodId caller, SiteOrdinal site, MethodId callee)>;
  enum class Path {
    kKnown,
    kNoCalls,  // the thread made no call yet
    kLost,     // the place's records were handed over, or there was no memory
    kEnded,    // recording has ended for the thread
  };
  // Finds the frames of a thread at a place, outermost first. If the place's word contains a
  // method, the frame of that next call is included. Thread-safe. Throws std::bad_alloc. Cost: a
  // scan back over the packet, one step per frame.
  // `thread`: set to the header's thread, unless recording has ended for it.
  Path path_of(const ThreadHeader& header, const ThreadPlace& place, const IsLeafOf& is_leaf_of,
               std::vector<ContextKey>& path, ThreadIndex& thread) const;
  // The path to a place of a thread, from which others are found.
  struct KnownPath {
    ThreadIndex thread = kNoThread;
    std::vector<ContextKey>
        frames;              // outermost first; the place's, and those that were live at `record`
    std::size_t length = 0;  // frames of the place
    ContextKey next = 0;     // a leaf, or the place's method, below them; 0: none
    std::size_t unchanged = 0;  // frames that are as they were when known before
    bool is_at_record = false;  // the rest is known
    std::uint64_t packets = 0, record = 0;
  };
  // Does the same, and moves `known` from the last place of the header's thread to this one. Cost: a step per record
  // between the two places, as long as the thread keeps its packet.
  Path path_of(const ThreadHeader& header, const ThreadPlace& place, const IsLeafOf& is_leaf_of,
               KnownPath& known) const;
  // Adds amounts of measures to the row of a thread. Thread-safe.
  void add_amounts(ThreadIndex thread, std::span<const ColumnAmount> amounts) noexcept {
    rows_.add_amounts(thread, amounts);
  }

  // Has the recording begin later: calls until begin() are no part of it, in no packet that is
  // handed over and in no total. REQUIRES: no thread has started.
  void wait_to_begin() noexcept;
  // Begins the recording. The frames that live are known. Cost: a look at the records in the
  // packets of living threads.
  void begin() noexcept;
  // Hands over the records of every live thread and ends recording.
  void close() noexcept override;
  // Hands over the records of every live thread; recording goes on. Records for which no packet is
  // free stay with their thread.
  void flush() noexcept;

  // Before close() the totals lack the records still in the threads' packets.
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
  void count_lost(ThreadPosition& after, std::uint32_t count) noexcept;
  Packet* first_packet() noexcept;
  void take_packet(ThreadState& state, std::uint32_t count) noexcept;
  Packet* copy_of_appended(const ThreadState& state, std::uint32_t count) noexcept;
  void end_row(ThreadState& state) noexcept;
  // Records of a thread's packet up to a place, and the frames live at the first of them.
  struct RecordsBefore {
    std::span<const CallRecord> records;
    const FrameChain* chain;
    bool chain_known;
  };
  static bool follow(const ThreadState& state, const ThreadPlace& place, std::uint64_t record,
                     KnownPath& known);
  std::optional<RecordsBefore> records_before(const ThreadState& state,
                                              const ThreadPlace& place) const noexcept;
  void begin_thread(ThreadState& state) noexcept;
  void close_thread(ThreadState& state) noexcept;
  void flush_thread(ThreadState& state) noexcept;

  PacketPool& pool_;
  PacketSink& sink_;
  std::unique_ptr<CallRecord[]> scratch_memory_;
  CallRecord* scratch_ = nullptr;  // room of a packet for records that are lost

  std::function<void(const ThreadHeader&)> before_packets_go_;  // constant; may be empty

  std::atomic<std::uint64_t> calls_seen_{0};
  std::atomic<std::uint64_t> calls_lost_{0};
  std::atomic<std::uint64_t> packets_{0};

  mutable std::mutex mutex_;
  HeaderRegion headers_;  // guarded by mutex_ when adding; all members below: always
  mutable ObjectRegion<ThreadState> states_;  // one per header ever used; first: the shared one
  bool waits_ = false;
  bool closed_ = false;
  std::vector<ThreadState*> free_states_;
  ThreadRows rows_;
  KeptThreadRows kept_rows_;
};

}  // namespace copse::shadowstack
