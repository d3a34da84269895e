// The memory of packets: a bounded number for the queue, and one more for every thread that holds
// one, so that no thread waits for another's half-filled packet.
//
// Freed packets are reused last in, first out: while the workers keep up, the same few packets go
// round and stay in the caches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "shadowstack/frame_chain.h"
#include "shadowstack/memory_source.h"
#include "shadowstack/object_region.h"
#include "shadowstack/packet.h"
#include "shadowstack/packets/packet_run.h"
#include "shadowstack/packets/packet_sink.h"

namespace copse::shadowstack {

struct PacketPoolOptions {
  std::uint32_t slots = 4096;  // per packet, a power of two, at least 8
  // Bytes of packets that wait to be folded; more is colder memory, not more speed.
  std::uint64_t queue_bytes = std::uint64_t{8} << 20;
  MemorySource* memory = nullptr;  // nullptr: anonymous_memory()
};

class PacketPool {
 public:
  // Throws std::bad_alloc when there is no memory to start with.
  explicit PacketPool(const PacketPoolOptions& options);
  ~PacketPool();
  PacketPool(const PacketPool&) = delete;
  PacketPool& operator=(const PacketPool&) = delete;

  // Memory of the packets, and of the state that recorders and engines publish.
  MemorySource& memory() noexcept { return memory_; }
  PacketRun& run() noexcept { return run_[0]; }
  FrameBlocks& frame_blocks() noexcept { return frame_blocks_; }

  std::uint32_t slots() const noexcept { return slots_; }
  std::uint64_t packet_bytes() const noexcept { return std::uint64_t{slots_} * sizeof(CallRecord); }

  // Returns an empty packet. At the bound the caller folds queued packets through `sink` until one
  // is free. When none is queued, because all are being folded, the pool grows past the bound, by
  // no more packets than there are folding threads. Returns nullptr only when the system has no
  // memory. Thread-safe.
  Packet* acquire(PacketSink& sink) noexcept;

  // Takes back a packet and drops its chain. Thread-safe.
  void release(Packet* packet) noexcept;

  // Count the threads that hold a packet of their own, on top of the queue's.
  void add_holder() noexcept;
  void remove_holder() noexcept;
  // Returns true if holders outnumber the packets of a full queue. Waiting threads should then hold
  // none.
  bool has_many_holders() const noexcept;

  std::uint64_t memory_bytes() const noexcept;

 private:
  Packet* pop_free(bool& may_grow) noexcept;
  Packet* grow() noexcept;

  // Constant after construction.
  const std::uint32_t slots_;
  const std::uint64_t queue_packets_;
  MemorySource& memory_;
  ObjectRegion<PacketRun> run_;
  FrameBlocks frame_blocks_;
  CallRecord* slot_memory_ = nullptr;
  std::size_t reserved_ = 0;  // packets with address space

  mutable std::mutex mutex_;
  std::vector<Packet*> free_;  // guarded by mutex_, like the next two
  ObjectRegion<Packet> packets_;
  std::uint64_t holders_ = 0;
};

}  // namespace copse::shadowstack
