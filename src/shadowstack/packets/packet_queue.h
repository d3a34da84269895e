// The packets that wait to be folded: any thread may add one, any thread may take one. A packet
// that was taken must be folded by whoever took it.
#pragma once

#include <cstdint>
#include <memory>

#include "shadowstack/packets/packet.h"

namespace copse::shadowstack {

class PacketQueue {
 public:
  PacketQueue();
  ~PacketQueue();

  // False when there is no memory for the queue itself; the packet stays the caller's.
  // Cost: about 20 ns, lock-free.
  [[nodiscard]] bool try_push(Packet* packet) noexcept;
  // Null when nothing was queued.
  Packet* try_pop() noexcept;

 private:
  struct Queue;
  std::unique_ptr<Queue> queue_;
};

}  // namespace copse::shadowstack
