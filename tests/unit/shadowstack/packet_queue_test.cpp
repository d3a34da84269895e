#include "shadowstack/packets/packet_queue.h"

#include <gtest/gtest.h>

#include <vector>

namespace copse::shadowstack {
namespace {

TEST(PacketQueue, GivesBackWhatOneThreadAddedInOrder) {
  PacketQueue queue;
  std::vector<Packet> packets(100);
  EXPECT_EQ(queue.try_pop(), nullptr);
  for (Packet& packet : packets) ASSERT_TRUE(queue.try_push(&packet));
  for (Packet& packet : packets) EXPECT_EQ(queue.try_pop(), &packet);
  EXPECT_EQ(queue.try_pop(), nullptr);
}

}  // namespace
}  // namespace copse::shadowstack
