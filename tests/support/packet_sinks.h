// A sink for tests of the producer side.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "shadowstack/packet.h"
#include "shadowstack/packets/packet_pool.h"
#include "shadowstack/packets/packet_sink.h"

namespace copse::test {

// Keeps submitted packets as plain values, and gives packets back when asked to help.
class KeepingSink : public shadowstack::PacketSink {
 public:
  struct Kept {
    ThreadIndex thread;
    std::uint64_t sequence;
    std::uint64_t first_call;
    std::uint32_t min_depth;
    shadowstack::FrameChain start;
    std::vector<CallRecord> records;
  };

  explicit KeepingSink(shadowstack::PacketPool& pool) : pool_(pool) {}

  void submit(shadowstack::Packet* packet) noexcept override {
    const std::lock_guard lock(mutex_);
    const auto records = packet->records();
    kept_.push_back({packet->thread,
                     packet->sequence,
                     packet->first_call,
                     packet->min_depth,
                     packet->start,
                     {records.begin(), records.end()}});
    queued_.push_back(packet);
  }
  bool help() noexcept override {
    const std::lock_guard lock(mutex_);
    if (queued_.empty()) return false;
    pool_.release(queued_.back());
    queued_.pop_back();
    ++helped_;
    return true;
  }

  const std::vector<Kept>& kept() const { return kept_; }
  int helped() const { return helped_; }
  // All records of a thread, in order.
  std::vector<CallRecord> records_of(ThreadIndex thread) const {
    std::map<std::uint64_t, const Kept*> in_order;
    for (const Kept& packet : kept_) {
      if (packet.thread == thread) in_order[packet.sequence] = &packet;
    }
    std::vector<CallRecord> all;
    for (const auto& [sequence, packet] : in_order) {
      all.insert(all.end(), packet->records.begin(), packet->records.end());
    }
    return all;
  }

 private:
  shadowstack::PacketPool& pool_;
  std::mutex mutex_;
  std::vector<Kept> kept_;
  std::vector<shadowstack::Packet*> queued_;
  int helped_ = 0;
};

}  // namespace copse::test
