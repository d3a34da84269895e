#include "shadowstack/packets/packet_queue.h"

#include <concurrentqueue/concurrentqueue.h>

#include "shadowstack/tell_tsan.h"

namespace copse::shadowstack {

struct PacketQueue::Queue {
  moodycamel::ConcurrentQueue<Packet*> packets;
};

PacketQueue::PacketQueue() : queue_(std::make_unique<Queue>()) {}
PacketQueue::~PacketQueue() = default;

bool PacketQueue::try_push(Packet* packet) noexcept {
  tell_released(packet);
  try {
    return queue_->packets.enqueue(packet);
  } catch (...) {
    return false;
  }
}

Packet* PacketQueue::try_pop() noexcept {
  Packet* packet = nullptr;
  if (!queue_->packets.try_dequeue(packet)) return nullptr;
  tell_acquired(packet);
  return packet;
}

}  // namespace copse::shadowstack
