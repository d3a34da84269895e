#include "cct/engine.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "cct/tree_check.h"
#include "shadowstack/recorder.h"
#include "support/call_streams.h"
#include "support/reference_tree.h"

namespace copse {
namespace {

TEST(Engine, OfAnEmptyRunGivesRootAlone) {
  PacketPool pool({});
  const std::unique_ptr<Engine> engine = Engine::make({}, pool);
  EXPECT_FALSE(engine->help());
  EXPECT_EQ(engine->finish().node_count(), 1u);
  EXPECT_GE(engine->stats().workers, 1u);
}

TEST(Engine, MayBeDestroyedUnfinished) {
  PacketPool pool({.slots = 8});
  const std::unique_ptr<Engine> engine = Engine::make({.workers = 2}, pool);
  Recorder recorder(pool, *engine);
  std::mt19937_64 random(1);
  test::play(recorder, 1, test::random_stream(random, {}), pool.packet_bytes());
}

TEST(Engine, ProducersFoldWhenTheQueueIsFull) {
  // A pool of one packet: every hand-over finds it empty.
  PacketPool pool({.slots = 8, .queue_bytes = 1});
  const std::unique_ptr<Engine> engine = Engine::make({.workers = 1}, pool);
  Recorder recorder(pool, *engine);
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
  EXPECT_EQ(stats.tree_bytes, tree.memory_bytes());
}

TEST(Engine, ANodeBudgetFoldsContextsAndLosesNoCalls) {
  for (const auto kind : {EngineOptions::Kind::kParallel, EngineOptions::Kind::kUptree}) {
    PacketPool pool({.slots = 64});
    const std::unique_ptr<Engine> engine =
        Engine::make({.kind = kind, .workers = 2, .delta_nodes = 100, .most_nodes = 200}, pool);
    Recorder recorder(pool, *engine);
    std::mt19937_64 random(3);
    const test::CallStream stream = test::random_stream(random, {.calls = 20'000});
    test::play(recorder, 1, stream, pool.packet_bytes());
    recorder.close();
    const ContextTree& tree = engine->finish();
    EXPECT_LE(tree.node_count(), 200u);
    EXPECT_GT(tree.folded().contexts, 0u);
    EXPECT_EQ(engine->stats().calls_lost, 0u);
    EXPECT_EQ(total_calls(tree), stream.size());
    EXPECT_TRUE(check_invariants(tree).ok());
  }
}

}  // namespace
}  // namespace copse
