// Turns a trace's events back into packets and hands them to a sink, as threads of a program would. The code that folds
// a run then folds a trace.
//
// A batch ends in its own packet, so between batches a thread costs its frames and no packet.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/call_record.h"
#include "base/ids.h"
#include "shadowstack/frame_chain.h"
#include "shadowstack/packets/packet_pool.h"
#include "shadowstack/packets/packet_sink.h"
#include "trace/event.h"

namespace copse::cli {

class PacketFeeder {
 public:
  struct ThreadRow {
    ThreadIndex index{};
    ContextKey first_key = 0;  // of its first call at depth 0; 0 means none
    std::uint64_t calls = 0;
  };

  PacketFeeder(shadowstack::PacketPool& pool, shadowstack::PacketSink& sink)
      : pool_(pool), sink_(sink) {}

  // Takes events from a trace reader. REQUIRES: no more returns than frames.
  void feed(const trace::EventBatch& batch);

  // Returns the threads with calls, in order of their first event.
  std::vector<ThreadRow> threads() const;
  std::uint64_t calls() const { return calls_; }
  std::uint64_t calls_lost() const { return calls_lost_; }  // for lack of memory
  std::uint64_t packets() const { return packets_; }

 private:
  struct Thread {
    ThreadRow row;
    std::uint32_t depth = 0;
    std::uint64_t sequence = 0;
    shadowstack::FrameChain chain;
    bool chain_known = true;
  };

  Thread& thread_of(ThreadIndex index);
  void call(Thread& thread, ContextKey key);
  void hand_over(Thread& thread);

  shadowstack::PacketPool& pool_;
  shadowstack::PacketSink& sink_;
  std::vector<Thread> threads_;
  std::unordered_map<std::uint32_t, std::size_t> thread_rows_;
  shadowstack::Packet* packet_ = nullptr;  // being filled; nullptr outside feed()
  std::uint64_t calls_ = 0;
  std::uint64_t calls_lost_ = 0;
  std::uint64_t packets_ = 0;
};

}  // namespace copse::cli
