#include "shadowstack/packet_pool.h"

#include <algorithm>
#include <new>

#include "base/make_room.h"

namespace copse {
namespace {

constexpr std::size_t kSlabBytes = std::size_t{256} << 10;

}  // namespace

// A queued packet usually holds one block of its chain beside its records.
PacketPool::PacketPool(const PacketPoolOptions& options)
    : slots_(options.slots),
      queue_packets_(std::max<std::uint64_t>(
          1, options.queue_bytes / (packet_bytes() + sizeof(Packet) + sizeof(FrameBlock)))),
      memory_(options.memory != nullptr ? *options.memory : anonymous_memory()) {}

PacketPool::~PacketPool() {
  packets_.clear();
  for (const Slab& slab : slabs_) memory_.release(slab.start, slab.bytes);
}

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
  may_grow = allocated_ < queue_packets_ + holders_;
  return nullptr;
}

Packet* PacketPool::grow() noexcept {
  const std::lock_guard lock(mutex_);
  const std::size_t bytes = packet_bytes();
  const std::size_t wanted = std::min<std::size_t>(
      std::max<std::size_t>(kSlabBytes / bytes, 1),
      allocated_ < queue_packets_ + holders_ ? queue_packets_ + holders_ - allocated_ : 1);
  const Slab slab{memory_.reserve(wanted * bytes, bytes), wanted * bytes};
  if (slab.start == nullptr) return nullptr;
  if (!memory_.commit(slab.start, slab.bytes)) {
    memory_.release(slab.start, slab.bytes);
    return nullptr;
  }
  try {
    // Room for every packet at once, so that release() never allocates.
    make_room(free_, allocated_ + wanted);
    make_room(slabs_, slabs_.size() + 1);
    packets_.push_back(std::make_unique<Packet[]>(wanted));
  } catch (const std::bad_alloc&) {
    memory_.release(slab.start, slab.bytes);
    return nullptr;
  }
  slabs_.push_back(slab);
  Packet* const made = packets_.back().get();
  for (std::size_t i = 0; i < wanted; ++i) {
    made[i].slots = static_cast<CallRecord*>(slab.start) + i * slots_;
    if (i != 0) free_.push_back(&made[i]);
  }
  allocated_ += wanted;
  return made;
}

void PacketPool::release(Packet* packet) noexcept {
  packet->start = FrameChain();
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
  return allocated_ * (packet_bytes() + sizeof(Packet));
}

}  // namespace copse
