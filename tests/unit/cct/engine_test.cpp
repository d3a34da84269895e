#include "cct/packets/engine.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cct/tree_check.h"
#include "shadowstack/packets/recorder.h"
#include "support/call_streams.h"
#include "support/reference_tree.h"

namespace copse::cct {
namespace {

TEST(Engine, OfAnEmptyRunGivesRootAlone) {
  shadowstack::PacketPool pool({});
  const std::unique_ptr<Engine> engine = Engine::make({}, pool);
  EXPECT_FALSE(engine->help());
  EXPECT_EQ(engine->finish().node_count(), 1u);
  EXPECT_GE(engine->stats().workers, 1u);
}

TEST(Engine, MayBeDestroyedUnfinished) {
  shadowstack::PacketPool pool({.slots = 8});
  const std::unique_ptr<Engine> engine = Engine::make({.workers = 2}, pool);
  shadowstack::Recorder recorder(pool, *engine);
  std::mt19937_64 random(1);
  test::play(recorder, 1, test::random_stream(random, {}), pool.packet_bytes());
  EXPECT_GT(recorder.packets(), 1u) << "or nothing is unfinished";
  EXPECT_EQ(engine->stats().workers, 2u);
}

TEST(Engine, ProducersFoldWhenTheQueueIsFull) {
  // A pool of one packet: every hand-over finds it empty.
  shadowstack::PacketPool pool({.slots = 8, .queue_bytes = 1});
  const std::unique_ptr<Engine> engine = Engine::make({.workers = 1}, pool);
  shadowstack::Recorder recorder(pool, *engine);
  std::mt19937_64 random(2);
  const test::CallStream stream = test::random_stream(random, {});
  test::play(recorder, 1, stream, pool.packet_bytes());
  const ContextTree& tree = engine->finish();
  test::ReferenceTree truth;
  truth.add(stream);
  EXPECT_EQ(test::tree_text(tree), truth.text());
  const EngineStats stats = engine->stats();
  EXPECT_GT(stats.packets_by_producers, 0u);
  EXPECT_EQ(stats.packets_by_producers + stats.packets_by_workers, recorder.packets());
  EXPECT_GT(stats.fold_cpu_ns, 0u);
}

// Methods 1, 2 and 3 call each other a thousand deep, and 7 at the end.
TEST(Engine, MergesRecursionThatMakesMostContexts) {
  for (const auto kind : {EngineOptions::Kind::kParallel, EngineOptions::Kind::kUptree}) {
    shadowstack::PacketPool pool({.slots = 64});
    const std::unique_ptr<Engine> engine =
        Engine::make({.kind = kind,
                      .workers = 1,
                      .recursion = {.recursion = Recursion::kAuto, .look_at = 500},
                      .delta_nodes = 100},
                     pool);
    shadowstack::Recorder recorder(pool, *engine);
    std::mt19937_64 random(4);
    constexpr int kTurns = 5;
    const test::CallStream stream = test::recursive_stream(random, 1000, kTurns);
    test::play(recorder, 1, stream, pool.packet_bytes());
    recorder.close();
    const ContextTree& tree = engine->finish();
    EXPECT_EQ(tree.merged().methods, (std::vector{MethodId{1}, MethodId{2}, MethodId{3}}));
    // A folder that is full has so many contexts, each method in turn. Each turn makes a branch of the chain, and a
    // folder may have parts of all: the producer folds, too, when the worker is slow.
    for (const std::uint32_t depth : tree.merged().depth_at_least) {
      EXPECT_GE(depth, 500u / 3 / kTurns);
      EXPECT_LE(depth, 1000u / 3 + 1);
    }
    EXPECT_EQ(tree.merged().depth_at_least.size(), 3u);
    EXPECT_LE(tree.node_count(), 20u);
    EXPECT_EQ(total_calls(tree), stream.size());
  }
}

TEST(Engine, ANodeBudgetEvictsContextsAndLosesNoCalls) {
  for (const auto kind : {EngineOptions::Kind::kParallel, EngineOptions::Kind::kUptree}) {
    shadowstack::PacketPool pool({.slots = 64});
    const std::unique_ptr<Engine> engine =
        Engine::make({.kind = kind, .workers = 2, .delta_nodes = 100, .most_nodes = 200}, pool);
    shadowstack::Recorder recorder(pool, *engine);
    std::mt19937_64 random(3);
    const test::CallStream stream = test::random_stream(random, {.calls = 20'000});
    test::play(recorder, 1, stream, pool.packet_bytes());
    recorder.close();
    const ContextTree& tree = engine->finish();
    EXPECT_LE(tree.node_count(), 200u);
    EXPECT_GT(tree.evicted().contexts, 0u);
    EXPECT_EQ(engine->stats().calls_lost, 0u);
    EXPECT_EQ(total_calls(tree), stream.size());
    EXPECT_TRUE(check_invariants(tree).ok());
  }
}

class EngineSnapshot : public testing::TestWithParam<EngineOptions::Kind> {};

TEST_P(EngineSnapshot, HasEveryCallOfThreadsThatLiveAndTakesNoneAway) {
  shadowstack::PacketPool pool({.slots = 64});
  const std::unique_ptr<Engine> engine =
      Engine::make({.kind = GetParam(), .workers = 2, .delta_nodes = 100}, pool);
  shadowstack::Recorder recorder(pool, *engine);
  std::mt19937_64 random(4);
  const test::CallStream stream = test::random_stream(random, {.calls = 5000});
  shadowstack::ThreadHeader* header = recorder.attach(1, "living");
  // Cut anywhere, also in the middle of a packet that was cut before.
  for (const std::size_t cut : {7u, 20u, 64u, 1000u, 4999u}) {
    test::CallStream begun(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(cut));
    const std::uint64_t had = recorder.calls_seen();
    for (std::size_t i = had; i < cut; ++i) {
      test::append(recorder, header, stream[i], pool.packet_bytes());
    }
    recorder.flush();
    EXPECT_EQ(recorder.calls_seen(), cut);
    const Result<RecordingSnapshot> so_far = engine->snapshot();
    ASSERT_TRUE(so_far.ok());
    test::ReferenceTree truth;
    truth.add(begun);
    EXPECT_EQ(test::tree_text(*so_far->tree), truth.text()) << cut;
    EXPECT_EQ(so_far->calls_seen, cut);
  }
  test::append(recorder, header, stream.back(), pool.packet_bytes());
  recorder.detach(header);
  test::ReferenceTree truth;
  truth.add(stream);
  EXPECT_EQ(test::tree_text(engine->finish()), truth.text());
  EXPECT_EQ(recorder.calls_seen(), stream.size());
}

TEST_P(EngineSnapshot, AddsUpWhileThreadsCallComeAndGo) {
  constexpr int kLives = 10;
  shadowstack::PacketPool pool({.slots = 32, .queue_bytes = 4096});
  const std::unique_ptr<Engine> engine =
      Engine::make({.kind = GetParam(), .workers = 2, .delta_nodes = 200}, pool);
  shadowstack::Recorder recorder(pool, *engine);
  std::vector<test::CallStream> streams;
  test::ReferenceTree truth;
  for (unsigned i = 0; i < 4; ++i) {
    std::mt19937_64 random(200 + i);
    streams.push_back(test::random_stream(random, {.calls = 3000}));
    for (int life = 0; life < kLives; ++life) truth.add(streams.back());
  }
  std::atomic<unsigned> running{4};
  std::vector<std::jthread> threads;
  for (const test::CallStream& stream : streams) {
    threads.emplace_back([&] {
      for (int life = 0; life < kLives; ++life) {
        test::play(recorder, life, stream, pool.packet_bytes());
      }
      running.fetch_sub(1);
    });
  }
  std::uint64_t before = 0;
  do {
    recorder.flush();
    const Result<RecordingSnapshot> so_far = engine->snapshot();
    ASSERT_TRUE(so_far.ok());
    EXPECT_TRUE(check_invariants(*so_far->tree).ok());
    EXPECT_EQ(total_calls(*so_far->tree) + so_far->calls_lost, so_far->calls_seen);
    EXPECT_GE(so_far->calls_seen, before);
    before = so_far->calls_seen;
  } while (running.load() != 0);
  threads.clear();
  recorder.close();
  EXPECT_EQ(test::tree_text(engine->finish()), truth.text());
  EXPECT_EQ(recorder.calls_lost(), 0u);
}

TEST_P(EngineSnapshot, ComesToAnEndThoughProducersOutrunTheWorkers) {
  shadowstack::PacketPool pool({.slots = 32});
  const std::unique_ptr<Engine> engine = Engine::make({.kind = GetParam(), .workers = 1}, pool);
  shadowstack::Recorder recorder(pool, *engine);
  std::atomic<bool> enough{false};
  std::vector<std::jthread> producers;
  for (unsigned i = 0; i < 4; ++i) {
    producers.emplace_back([&, i] {
      std::mt19937_64 random(i);
      const test::CallStream stream = test::random_stream(random, {.calls = 1000});
      while (!enough.load()) test::play(recorder, i, stream, pool.packet_bytes());
    });
  }
  EXPECT_TRUE(engine->snapshot().ok());
  enough.store(true);
  producers.clear();
  recorder.close();
  EXPECT_EQ(total_calls(engine->finish()), recorder.calls_seen());
}

std::string name_of_kind(const testing::TestParamInfo<EngineOptions::Kind>& info) {
  return info.param == EngineOptions::Kind::kUptree ? "Uptree" : "Tree";
}

INSTANTIATE_TEST_SUITE_P(Kinds, EngineSnapshot,
                         testing::Values(EngineOptions::Kind::kParallel,
                                         EngineOptions::Kind::kUptree),
                         name_of_kind);

}  // namespace
}  // namespace copse::cct
