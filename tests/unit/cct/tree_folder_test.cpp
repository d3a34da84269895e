#include "cct/packets/tree_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "support/call_streams.h"
#include "support/reference_tree.h"

namespace copse::cct {
namespace {

using test::call;

// A thread's packets, made by hand.
class Thread {
 public:
  explicit Thread(unsigned index = 0) : index_(index) {}

  shadowstack::Packet packet(const std::vector<CallRecord>& records) {
    memory_.push_back(std::make_unique<std::vector<CallRecord>>(1));
    memory_.back()->insert(memory_.back()->end(), records.begin(), records.end());
    shadowstack::Packet packet;
    packet.slots = memory_.back()->data();
    packet.count = static_cast<std::uint32_t>(records.size());
    packet.thread = ThreadIndex{index_};
    packet.sequence = sequence_++;
    packet.first_call = calls_;
    packet.start = chain_;
    calls_ += records.size();
    EXPECT_TRUE(packet.start.advance(records, chain_, packet.min_depth));
    return packet;
  }

 private:
  const unsigned index_;
  std::vector<std::unique_ptr<std::vector<CallRecord>>> memory_;
  shadowstack::FrameChain chain_;
  std::uint64_t sequence_ = 0;
  std::uint64_t calls_ = 0;
};

void fold(TreeFolder& folder, shadowstack::Packet packet) {
  shadowstack::Packet* const one[] = {&packet};
  folder.fold(one);
}

std::string folded(const PlacingOptions& options, const std::vector<CallRecord>& records) {
  Cct tree;
  TreeFolder folder(tree, options);
  fold(folder, Thread().packet(records));
  return test::tree_text(tree);
}

TEST(TreeFolder, BuildsTheTreeOfDepths) {
  EXPECT_EQ(folded({}, {call(0, 0, 1), call(1, 1, 2), call(1, 1, 2), call(2, 4, 3), call(1, 2, 2)}),
            "0 1@0 1\n1 2@1 2\n2 3@4 1\n1 2@2 1\n");
}

TEST(TreeFolder, WithoutSitesMethodsAloneTellNodesApart) {
  EXPECT_EQ(folded({.sites = false}, {call(0, 0, 1), call(1, 1, 2), call(1, 2, 2)}),
            "0 1@0 1\n1 2@0 2\n");
}

TEST(TreeFolder, AFrameOfUnknownCallerHangsUnderTheNearestKnownWithoutASite) {
  EXPECT_EQ(folded({}, {call(0, 0, 1), call(3, 5, 2), call(4, 6, 3), call(2, 7, 4)}),
            "0 1@0 1\n1 2@0 1\n2 3@6 1\n1 4@0 1\n");
}

TEST(TreeFolder, AThreadThatBeginsDeepHangsUnderRoot) {
  EXPECT_EQ(folded({}, {call(9, 5, 2), call(10, 1, 3), call(9, 4, 2), call(0, 0, 1)}),
            "0 1@0 1\n0 2@0 2\n1 3@1 1\n");
}

TEST(TreeFolder, MergesDirectAndIndirectRecursion) {
  const auto every = std::make_shared<MergedMethods>();
  every->add_all();
  EXPECT_EQ(folded({.merged = every}, {call(0, 0, 1), call(1, 1, 1), call(2, 1, 2), call(3, 1, 1),
                                       call(4, 3, 2), call(5, 1, 3)}),
            "0 1@0 3\n1 2@1 1\n1 2@3 1\n2 3@1 1\n");
}

TEST(TreeFolder, StartFramesAreNotCounted) {
  Thread thread;
  const shadowstack::Packet first = thread.packet({call(0, 0, 1), call(1, 1, 2)});
  const shadowstack::Packet second = thread.packet({call(2, 1, 3)});
  Cct tree;
  TreeFolder folder(tree, {});
  fold(folder, second);
  EXPECT_EQ(test::tree_text(tree), "0 1@0 0\n1 2@1 0\n2 3@1 1\n");
  fold(folder, first);
  EXPECT_EQ(test::tree_text(tree), "0 1@0 1\n1 2@1 1\n2 3@1 1\n");
}

TEST(TreeFolder, LooksUpOnlyStartFramesItDoesNotHave) {
  std::vector<CallRecord> down;
  for (std::uint32_t depth = 0; depth < 1000; ++depth) down.push_back(call(depth, 1, 1));
  Thread thread;
  const shadowstack::Packet deep = thread.packet(down);
  const shadowstack::Packet next = thread.packet({call(1000, 1, 2)});
  const shadowstack::Packet skipped = thread.packet({call(900, 1, 3)});
  const shadowstack::Packet last = thread.packet({call(901, 1, 4)});
  Cct tree;
  TreeFolder folder(tree, {});
  fold(folder, deep);
  fold(folder, next);
  EXPECT_EQ(folder.chain_nodes(), 0u) << "the packet that follows";
  fold(folder, last);
  EXPECT_LE(folder.chain_nodes(), shadowstack::FrameBlock::kFrames) << "one block differs";
  fold(folder, skipped);
  EXPECT_LE(folder.chain_nodes(), 2 * shadowstack::FrameBlock::kFrames);
  const std::uint64_t before = folder.chain_nodes();
  fold(folder, last);
  EXPECT_LE(folder.chain_nodes() - before, shadowstack::FrameBlock::kFrames) << "back and forth";
  folder.forget();
  fold(folder, thread.packet({call(902, 1, 5)}));
  EXPECT_EQ(folder.chain_nodes(), 902u);
}

TEST(TreeFolder, AnEarlierPacketDoesNotSeeTheFramesOfALaterOne) {
  const auto down = [](std::uint32_t from, std::uint32_t to, unsigned method) {
    std::vector<CallRecord> records;
    for (std::uint32_t depth = from; depth < to; ++depth) records.push_back(call(depth, 1, method));
    return records;
  };
  Thread thread;
  const shadowstack::Packet deep = thread.packet(down(0, 300, 1));
  const shadowstack::Packet earlier = thread.packet(down(300, 301, 2));
  std::vector<CallRecord> records = down(301, 302, 2);
  for (const CallRecord record : down(120, 260, 3)) records.push_back(record);
  const shadowstack::Packet later =
      thread.packet(records);  // the same blocks before it, other frames after
  Cct tree;
  TreeFolder folder(tree, {});
  for (const shadowstack::Packet* packet : {&deep, &later, &earlier}) fold(folder, *packet);
  Cct in_order;
  TreeFolder other(in_order, {});
  for (const shadowstack::Packet* packet : {&deep, &earlier, &later}) fold(other, *packet);
  EXPECT_EQ(test::tree_text(tree), test::tree_text(in_order));
}

TEST(TreeFolder, FoldsPacketsAbreastWhateverTheirLengthsAndGaps) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    std::vector<Thread> threads;
    for (unsigned i = 0; i < 3; ++i) threads.emplace_back(i);
    test::ReferenceTree truth;
    std::vector<shadowstack::Packet> packets;
    for (Thread& thread : threads) {
      const test::CallStream stream =
          test::random_stream(random, {.calls = 600,
                                       .deepest = 300,
                                       .call_chance = 0.6,
                                       .gap_chance = seed % 2 == 0 ? 0.0 : 0.01});
      truth.add(stream);
      for (std::size_t at = 0; at < stream.size();) {
        const std::size_t count = std::min<std::size_t>(1 + random() % 60, stream.size() - at);
        const auto first = stream.begin() + static_cast<std::ptrdiff_t>(at);
        packets.push_back(thread.packet({first, first + static_cast<std::ptrdiff_t>(count)}));
        at += count;
      }
    }
    std::shuffle(packets.begin(), packets.end(), random);
    Cct tree;
    TreeFolder folder(tree, {});
    std::vector<shadowstack::Packet*> left;
    for (shadowstack::Packet& packet : packets) left.push_back(&packet);
    while (!left.empty()) {
      const std::size_t count =
          std::min<std::size_t>(1 + random() % TreeFolder::kLanes, left.size());
      folder.fold(std::span(left).last(count));
      left.resize(left.size() - count);
    }
    ASSERT_EQ(test::tree_text(tree), truth.text());
  }
}

TEST(TreeFolder, KeepsThreadsApart) {
  Thread one(1);
  Thread other(17);  // the same slot among the folder's paths
  const shadowstack::Packet a = one.packet({call(0, 0, 1)});
  const shadowstack::Packet b = other.packet({call(0, 0, 2)});
  const shadowstack::Packet c = one.packet({call(1, 1, 3)});
  const shadowstack::Packet d = other.packet({call(1, 1, 3)});
  Cct tree;
  TreeFolder folder(tree, {});
  for (const shadowstack::Packet* packet : {&a, &b, &c, &d}) fold(folder, *packet);
  EXPECT_EQ(test::tree_text(tree), "0 1@0 1\n1 3@1 1\n0 2@0 1\n1 3@1 1\n");
}

}  // namespace
}  // namespace copse::cct
