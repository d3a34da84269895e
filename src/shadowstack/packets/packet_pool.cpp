#include "shadowstack/packets/packet_pool.h"

#include <algorithm>
#include <new>

#include "base/make_room.h"
#include "shadowstack/in_this_order.h"

namespace copse::shadowstack {
namespace {

constexpr std::size_t kStepBytes = std::size_t{256} << 10;
constexpr std::size_t kMostBytes = std::size_t{1} << 37;  // of address space
constexpr std::size_t kLeastBytes = std::size_t{1} << 26;

}  // namespace

// A queued packet usually holds one block of its chain beside its records.
PacketPool::PacketPool(const PacketPoolOptions& options)
    : slots_(options.slots),
      queue_packets_(std::max<std::uint64_t>(
          1, options.queue_bytes / (packet_bytes() + sizeof(Packet) + sizeof(FrameBlock)))),
      memory_(options.memory != nullptr ? *options.memory : anonymous_memory()),
      run_(memory_, 1),
      frame_blocks_(memory_),
      packets_(memory_, kMostBytes / packet_bytes()) {
  PacketRun* run = run_.add();
  if (run == nullptr) throw std::bad_alloc();
  for (std::size_t bytes = kMostBytes; slot_memory_ == nullptr && bytes >= kLeastBytes;) {
    slot_memory_ = static_cast<CallRecord*>(memory_.reserve(bytes, packet_bytes()));
    reserved_ = bytes / packet_bytes();
    bytes /= 2;
  }
  if (slot_memory_ == nullptr) throw std::bad_alloc();
  run->slots = slots_;
  run->packets = reinterpret_cast<std::uint64_t>(packets_.data());
  in_this_order();
  run->magic = PacketRun::kMagic;
}

PacketPool::~PacketPool() { memory_.release(slot_memory_, reserved_ * packet_bytes()); }

Packet* PacketPool::acquire(PacketSink& sink) noexcept {
  for (;;) {
    bool may_grow = false;
    if (Packet* packet = pop_free(may_grow); packet != nullptr) return packet;
    if (may_grow) {
      if (Packet* packet = grow(); packet != nullptr) return packet;
    }
    if (!sink.help()) return may_grow ? nullptr : grow();
  }
}

Packet* PacketPool::pop_free(bool& may_grow) noexcept {
  const std::lock_guard lock(mutex_);
  if (!free_.empty()) {
    Packet* packet = free_.back();
    free_.pop_back();
    return packet;
  }
  may_grow = packets_.size() < queue_packets_ + holders_;
  return nullptr;
}

Packet* PacketPool::grow() noexcept {
  const std::lock_guard lock(mutex_);
  const std::size_t bytes = packet_bytes();
  const std::size_t made = packets_.size();
  const std::size_t wanted = std::min<std::size_t>(
      {std::max<std::size_t>(kStepBytes / bytes, 1),
       made < queue_packets_ + holders_ ? queue_packets_ + holders_ - made : 1, reserved_ - made});
  if (wanted == 0) return nullptr;
  // From the start, where a page begins.
  if (!memory_.commit(slot_memory_, (made + wanted) * bytes)) return nullptr;
  try {
    make_room(free_, made + wanted);  // for every packet at once, so that release() never allocates
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  Packet* const first = packets_.add();
  if (first == nullptr) return nullptr;
  first->slots = slot_memory_ + made * slots_;
  for (std::size_t i = 1; i < wanted; ++i) {
    Packet* const packet = packets_.add();
    if (packet == nullptr) break;
    packet->slots = first->slots + i * slots_;
    free_.push_back(packet);
  }
  in_this_order();
  run().packet_count = packets_.size();
  return first;
}

void PacketPool::release(Packet* packet) noexcept {
  packet->state = Packet::State::kEmpty;
  in_this_order();
  packet->start = FrameChain();
  packet->first = 1;
  packet->count = 0;
  const std::lock_guard lock(mutex_);
  free_.push_back(packet);
}

void PacketPool::add_holder() noexcept {
  const std::lock_guard lock(mutex_);
  ++holders_;
}

void PacketPool::remove_holder() noexcept {
  const std::lock_guard lock(mutex_);
  --holders_;
}

bool PacketPool::has_many_holders() const noexcept {
  const std::lock_guard lock(mutex_);
  return holders_ > queue_packets_;
}

std::uint64_t PacketPool::memory_bytes() const noexcept {
  const std::lock_guard lock(mutex_);
  return packets_.size() * (packet_bytes() + sizeof(Packet));
}

}  // namespace copse::shadowstack
