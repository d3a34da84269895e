// Amounts of threads that fill packets count where the threads stood, whichever worker folds.
#include "cct/packets/measured_packets.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "support/call_streams.h"
#include "support/column_amounts.h"

namespace copse::cct {
namespace {

using test::in_column;
using PacketPath = std::vector<ContextKey>;
using AmountsByPath = std::map<PacketPath, std::uint64_t>;

constexpr std::array kPacketColumns = {MeasureName{"samples", "events"}};
const ContextKey kNowhere = context_key(kNoSite, MethodId{4000});

AmountsByPath amounts_of(const ContextTree& tree, const MeasuredColumn& column) {
  AmountsByPath amounts;
  for (std::uint32_t node = 0; node < column.amounts.size(); ++node) {
    if (column.amounts[node] == 0) continue;
    PacketPath path;
    for (std::uint32_t at = node; at != 0; at = raw(tree.node(NodeIndex{at}).parent)) {
      path.insert(path.begin(), tree.node(NodeIndex{at}).key);
    }
    amounts[path] += column.amounts[node];
  }
  return amounts;
}

class MeasuredPacketsTest : public testing::TestWithParam<EngineOptions::Kind> {
 protected:
  void SetUp() override {
    engine_ = Engine::make({.kind = GetParam(), .workers = 2, .delta_nodes = 64}, pool_);
    recorder_ = std::make_unique<shadowstack::Recorder>(pool_, *engine_);
    measured_ = std::make_unique<MeasuredPackets>(*recorder_, *engine_, true);
    measured_->measure({.columns = kPacketColumns, .outside = kNowhere, .is_leaf_of = [](auto...) {
                          return false;
                        }});
  }

  // Plays calls, adds an amount after each, and notes what each context was to get.
  void play(shadowstack::ThreadHeader* header, const test::CallStream& stream) {
    PacketPath path;
    std::uint64_t amount = 0;
    for (const CallRecord record : stream) {
      test::append(*recorder_, header, record, pool_.packet_bytes());
      header->word = test::call(depth_of(record) + 1, 0, 0);
      path.resize(depth_of(record));
      path.push_back(key_of(record));
      measured_->add(*header, shadowstack::place_of(*header, header->word),
                     in_column(0, ++amount % 7));
      if (amount % 7 != 0) expected_[path] += amount % 7;
    }
  }

  shadowstack::PacketPool pool_{{.slots = 64}};
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<shadowstack::Recorder> recorder_;
  std::unique_ptr<MeasuredPackets> measured_;
  AmountsByPath expected_;
};

TEST_P(MeasuredPacketsTest, HaveWhatWasAddedWhereTheThreadStood) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    shadowstack::ThreadHeader* header =
        recorder_->attach(static_cast<std::int64_t>(seed), "player");
    play(header, test::random_stream(random, {}));
    recorder_->detach(header);
  }
  recorder_->close();
  const ContextTree& tree = engine_->finish();
  const std::vector<MeasuredColumn> laid = engine_->lay_measured();
  ASSERT_EQ(laid.size(), 1u);
  EXPECT_EQ(amounts_of(tree, laid[0]), expected_);
  EXPECT_EQ(laid[0].lost, 0u);
  std::uint64_t in_contexts = 0, in_threads = 0;
  for (const auto& [path, amount] : expected_) in_contexts += amount;
  const std::vector<shadowstack::ThreadRow> threads = recorder_->threads();
  EXPECT_EQ(threads.size(), 3u);
  for (const shadowstack::ThreadRow& thread : threads) in_threads += thread.amounts.at(0);
  EXPECT_EQ(in_threads, in_contexts);
}

// An exception that a handler in each of many frames throws again, with a call in each or none.
TEST_P(MeasuredPacketsTest, CostNoStepPerFrameDeepInTheStack) {
  constexpr std::uint32_t kDeep = 100'000;
  shadowstack::ThreadHeader* header = recorder_->attach(1, "player");
  for (std::uint32_t depth = 0; depth < kDeep; ++depth) {
    test::append(*recorder_, header, test::call(depth, 1, 1), pool_.packet_bytes());
  }
  for (std::uint32_t depth = kDeep; depth > 0; --depth) {
    if (depth % 512 == 0) {  // a packet of its own
      for (std::uint32_t i = 0; i < 100; ++i) {
        test::append(*recorder_, header, test::call(depth, 2, 2), pool_.packet_bytes());
      }
    }
    header->word = test::call(depth, 0, 0);
    measured_->add(*header, shadowstack::place_of(*header, header->word), in_column(0, depth));
  }
  recorder_->detach(header);
  recorder_->close();
  const ContextTree& tree = engine_->finish();
  const MeasuredColumn laid = engine_->lay_measured().at(0);
  std::vector<std::uint32_t> depths(tree.node_count());
  for (std::uint32_t node = 1; node < laid.amounts.size(); ++node) {
    const ContextNode at = tree.node(NodeIndex{node});
    depths[node] = depths[raw(at.parent)] + 1;
    const bool is_deep = method_of(at.key) == MethodId{1};
    ASSERT_EQ(laid.amounts[node], is_deep ? depths[node] : 0);
  }
  EXPECT_EQ(std::accumulate(laid.amounts.begin(), laid.amounts.end(), laid.lost),
            std::uint64_t{kDeep} * (kDeep + 1) / 2);
  EXPECT_EQ(laid.lost, 0u);
}

TEST_P(MeasuredPacketsTest, AreFoundAtPlacesInAnyOrder) {
  std::mt19937 random(3);
  const auto pick = [&random](unsigned below) { return static_cast<unsigned>(random() % below); };
  shadowstack::ThreadHeader* header = recorder_->attach(1, "player");
  struct Then {
    shadowstack::ThreadPlace place;
    PacketPath path;
  };
  std::vector<Then> places;  // of the packet
  PacketPath path;
  for (std::uint32_t i = 0; i < 40; ++i) path.push_back(key_of(test::call(i, 1, i + 1)));
  for (std::uint32_t i = 0; i < 40; ++i) {
    test::append(*recorder_, header, test::call(i, 1, i + 1), pool_.packet_bytes());
  }
  const std::uint64_t packets = header->packets;
  for (int step = 0; step < 20'000; ++step) {
    const std::size_t most = path.size() < 34 ? path.size() : path.size() - pick(4);
    const CallRecord record = test::call(static_cast<unsigned>(most), 1 + pick(2), 100 + pick(3));
    path.resize(depth_of(record));
    path.push_back(key_of(record));
    const std::uint64_t before = header->packets;
    test::append(*recorder_, header, record, pool_.packet_bytes());
    if (header->packets != before) places.clear();
    const std::size_t at = path.size() - pick(3);
    header->word = test::call(static_cast<std::uint32_t>(at), 0, 0);
    places.push_back({shadowstack::place_of(*header, header->word),
                      PacketPath(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(at))});
    const Then& chosen = places[random() % places.size()];
    measured_->add(*header, chosen.place, in_column(0, 1));
    ++expected_[chosen.path];
  }
  EXPECT_GT(header->packets, packets + 100);
  recorder_->detach(header);
  recorder_->close();
  const ContextTree& tree = engine_->finish();
  EXPECT_EQ(amounts_of(tree, engine_->lay_measured().at(0)), expected_);
}

TEST_P(MeasuredPacketsTest, ASnapshotHasThoseSoFar) {
  std::mt19937_64 random(9);
  shadowstack::ThreadHeader* header = recorder_->attach(1, "player");
  play(header, test::random_stream(random, {}));
  recorder_->flush();
  const Result<RecordingSnapshot> so_far = engine_->snapshot();
  ASSERT_TRUE(so_far.ok());
  EXPECT_EQ(amounts_of(*so_far->tree, so_far->measured.at(0)), expected_);
  recorder_->detach(header);
}

TEST_P(MeasuredPacketsTest, WhatWasInNoContextIsOutsideOrLost) {
  shadowstack::ThreadHeader* header = recorder_->attach(1, "player");
  const auto add = [&](const shadowstack::ThreadPlace& place, std::uint64_t amount) {
    measured_->add(*header, place, in_column(0, amount));
  };
  add(shadowstack::place_of(*header, 0), 1);  // before its first call
  play(header, {test::call(0, 0, 1), test::call(1, 1, 2)});
  add(shadowstack::place_of(*header, 0), 10);  // after its return
  const MethodId object{77};
  measured_->measured().add_below({}, in_column(0, 100), object);
  const shadowstack::ThreadPlace there = shadowstack::place_of(*header, header->word);
  for (std::uint32_t i = 0; i < 2 * pool_.slots(); ++i) {
    test::append(*recorder_, header, test::call(1, 1, 2), pool_.packet_bytes());
  }
  add(there, 1000);  // of records that are in no packet any more
  recorder_->detach(header);
  add(there, 10000);  // too late
  recorder_->close();
  const ContextTree& tree = engine_->finish();
  const MeasuredColumn laid = engine_->lay_measured().at(0);
  expected_[{kNowhere}] = 11;
  expected_[{kNowhere, context_key(kNoSite, object)}] = 100;
  EXPECT_EQ(amounts_of(tree, laid), expected_);
  EXPECT_EQ(laid.lost, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Engines, MeasuredPacketsTest,
                         testing::Values(EngineOptions::Kind::kParallel,
                                         EngineOptions::Kind::kUptree));

}  // namespace
}  // namespace copse::cct
