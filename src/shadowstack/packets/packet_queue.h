// The packets that wait to be folded. A thread that takes a packet must fold it. Thread-safe.
#pragma once

#include <cstdint>
#include <memory>

#include "shadowstack/packet.h"

namespace copse::shadowstack {

class PacketQueue {
 public:
  PacketQueue();
  ~PacketQueue();

  // Adds a packet. Returns false, and leaves the packet to the caller, when there is no memory for
  // the queue itself. Cost: about 20 ns, lock-free.
  [[nodiscard]] bool try_push(Packet* packet) noexcept;
  // Takes a packet; returns nullptr when the queue is empty.
  Packet* try_pop() noexcept;

 private:
  struct Queue;
  std::unique_ptr<Queue> queue_;
};

}  // namespace copse::shadowstack
