#include "shadowstack/packets/packet_pool.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "support/packet_sinks.h"
#include "support/scarce_memory.h"

namespace copse::shadowstack {
namespace {

// Has nothing to fold.
class IdleSink : public PacketSink {
 public:
  void submit(Packet*) noexcept override {}
  bool help() noexcept override {
    ++asked;
    return false;
  }
  int asked = 0;
};

TEST(PacketPool, AlignsPacketsToTheirSize) {
  for (const std::uint32_t slots : {8u, 64u, 4096u, 65536u}) {
    PacketPool pool({.slots = slots, .queue_bytes = 1 << 20});
    IdleSink sink;
    std::set<CallRecord*> seen;
    for (int i = 0; i < 5; ++i) {
      Packet* packet = pool.acquire(sink);
      ASSERT_NE(packet, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uint64_t>(packet->slots) % (slots * 8), 0u);
      packet->slots[slots - 1] = 1;  // usable to the end
      EXPECT_TRUE(seen.insert(packet->slots).second);
    }
  }
}

TEST(PacketPool, ReusesTheLastPacketReleased) {
  PacketPool pool({});
  IdleSink sink;
  Packet* a = pool.acquire(sink);
  Packet* b = pool.acquire(sink);
  pool.release(a);
  pool.release(b);
  EXPECT_EQ(pool.acquire(sink), b);
  EXPECT_EQ(pool.acquire(sink), a);
}

TEST(PacketPool, AsksToHelpOnlyAtTheBoundAndThenTakesWhatThatFreed) {
  PacketPool pool({.slots = 8, .queue_bytes = 1});  // one packet queued, one per holder
  test::KeepingSink sink(pool);
  pool.add_holder();
  Packet* first = pool.acquire(sink);
  Packet* second = pool.acquire(sink);
  EXPECT_EQ(sink.helped(), 0);
  sink.submit(first);
  EXPECT_EQ(pool.acquire(sink), first);
  EXPECT_EQ(sink.helped(), 1);
  EXPECT_NE(second, nullptr);
}

TEST(PacketPool, GrowsPastTheBoundWhenNothingIsQueued) {
  PacketPool pool({.slots = 8, .queue_bytes = 1});
  IdleSink sink;
  std::set<Packet*> seen;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(seen.insert(pool.acquire(sink)).second);
  EXPECT_FALSE(seen.contains(nullptr));
  EXPECT_GT(sink.asked, 0);
}

TEST(PacketPool, SaysWhenThereIsNoMemory) {
  test::ScarceMemory memory(1);  // to start with
  PacketPool pool({.memory = &memory});
  IdleSink sink;
  EXPECT_EQ(pool.acquire(sink), nullptr);
  memory.refill(2);
  EXPECT_NE(pool.acquire(sink), nullptr);
}

TEST(PacketPool, DropsTheChainOfAReleasedPacket) {
  PacketPool pool({});
  IdleSink sink;
  Packet* packet = pool.acquire(sink);
  std::uint32_t min_depth = 0;
  const std::vector<CallRecord> records{call_record(0, kNoSite, MethodId{1})};
  ASSERT_TRUE(FrameChain().advance(records, packet->start, min_depth));
  pool.release(packet);
  EXPECT_EQ(packet->start.top(), nullptr);
}

}  // namespace
}  // namespace copse::shadowstack
