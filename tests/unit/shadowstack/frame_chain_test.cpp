#include "shadowstack/frame_chain.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "support/call_streams.h"

namespace copse::shadowstack {
namespace {

using test::call;

constexpr std::uint32_t kBlock = FrameBlock::kFrames;

FrameChain after(const FrameChain& before, const std::vector<CallRecord>& records) {
  FrameChain next;
  std::uint32_t min_depth = 0;
  EXPECT_TRUE(before.advance(records, next, min_depth));
  return next;
}

unsigned method_at(const FrameChain& chain, std::uint32_t depth) {
  return raw(method_of(chain.key_at(depth)));
}

TEST(FrameChain, KeepsTheLastRecordAndItsCallers) {
  const FrameChain chain = after({}, {call(0, 0, 1), call(1, 1, 2), call(2, 1, 3), call(1, 2, 4)});
  EXPECT_EQ(chain.key_at(0), key_of(call(0, 0, 1)));
  EXPECT_EQ(chain.key_at(1), key_of(call(0, 2, 4)));
  EXPECT_EQ(chain.key_at(2), 0u);
}

TEST(FrameChain, KeepsFramesOfTheChainBeforeBelowThePacket) {
  const FrameChain before = after({}, {call(0, 0, 1), call(1, 1, 2), call(2, 1, 3)});
  const FrameChain chain = after(before, {call(2, 5, 7), call(3, 1, 8)});
  EXPECT_EQ(method_at(chain, 1), 2u);
  EXPECT_EQ(method_at(chain, 2), 7u);
  EXPECT_EQ(method_at(chain, 3), 8u);
  EXPECT_EQ(method_at(before, 2), 3u) << "a chain never changes";
}

TEST(FrameChain, NamesTheSmallestDepth) {
  FrameChain next;
  std::uint32_t min_depth = 99;
  ASSERT_TRUE(FrameChain().advance(
      std::vector<CallRecord>{call(7, 0, 1), call(5, 0, 1), call(6, 0, 1)}, next, min_depth));
  EXPECT_EQ(min_depth, 5u);
}

TEST(FrameChain, FramesNobodyRecordedAreUnknown) {
  const FrameChain chain = after(after({}, {call(0, 0, 1)}), {call(3, 1, 2), call(6, 1, 3)});
  EXPECT_EQ(method_at(chain, 0), 1u);
  EXPECT_EQ(chain.key_at(1), 0u);
  EXPECT_EQ(chain.key_at(2), 0u);
  EXPECT_EQ(method_at(chain, 3), 2u);
  EXPECT_EQ(chain.key_at(4), 0u);
  EXPECT_EQ(method_at(chain, 6), 3u);
}

TEST(FrameChain, FramesThatReturnedDoNotComeBackAfterAGap) {
  const FrameChain deep = after({}, {call(0, 0, 1), call(1, 0, 2), call(2, 0, 3), call(3, 0, 4)});
  const FrameChain chain = after(after(deep, {call(1, 0, 5)}), {call(3, 0, 6)});
  EXPECT_EQ(method_at(chain, 1), 5u);
  EXPECT_EQ(chain.key_at(2), 0u);
}

TEST(FrameChain, SharesBlocksThatDidNotChange) {
  std::vector<CallRecord> down;
  for (std::uint32_t d = 0; d < 3 * kBlock + 10; ++d) down.push_back(call(d, 0, 1 + d));
  const FrameChain deep = after({}, down);
  const FrameChain chain = after(deep, {call(2 * kBlock + 5, 1, 9)});
  EXPECT_EQ(chain.top()->below, deep.top()->below->below) << "block 1";
  EXPECT_EQ(FrameChain::shared_depth(deep, chain), 2 * kBlock);
  EXPECT_EQ(FrameChain::shared_depth(deep, FrameChain(deep)), 0xFFFF'FFFFu);
  EXPECT_EQ(FrameChain::shared_depth(deep, {}), 0u);
}

TEST(FrameChain, AGapAcrossBlocksLeavesThemOut) {
  const FrameChain chain = after(after({}, {call(0, 0, 1)}), {call(10 * kBlock, 1, 2)});
  EXPECT_EQ(method_at(chain, 0), 1u);
  EXPECT_EQ(chain.key_at(5 * kBlock), 0u);
  EXPECT_EQ(method_at(chain, 10 * kBlock), 2u);
  EXPECT_EQ(chain.top()->below->index, 0u);
}

TEST(FrameChain, IsTheStackOfAnyStreamAfterEveryPacket) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const test::CallStream stream = test::random_stream(
        random, {.calls = 4000, .deepest = 700, .call_chance = 0.6, .gap_chance = 0.01});
    std::vector<ContextKey> stack;
    FrameChain chain;
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t count = std::min<std::size_t>(1 + random() % 40, stream.size() - at);
      const std::vector<CallRecord> records(stream.begin() + std::ptrdiff_t(at),
                                            stream.begin() + std::ptrdiff_t(at + count));
      chain = after(chain, records);
      for (const CallRecord record : records) {
        stack.resize(depth_of(record));
        stack.push_back(key_of(record));
      }
      at += count;
      for (std::uint32_t depth = 0; depth < stack.size() + 2; ++depth) {
        ASSERT_EQ(chain.key_at(depth), depth < stack.size() ? stack[depth] : 0)
            << "depth " << depth;
      }
    }
  }
}

}  // namespace
}  // namespace copse::shadowstack
