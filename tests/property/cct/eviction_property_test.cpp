// Trees kept within tiny bounds, in every way that contexts are recorded: nothing is lost, and what
// is kept is right as far as it goes. Streams are random and seeded; a failure names the seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cct/inplace/inline_trees.h"
#include "cct/packets/engine.h"
#include "cct/tree_check.h"
#include "shadowstack/packets/packet_pool.h"
#include "shadowstack/packets/recorder.h"
#include "support/call_streams.h"
#include "support/eviction_check.h"
#include "support/inline_probe.h"

namespace copse::cct {
namespace {

using test::CallStream;

constexpr std::uint64_t kSeeds = 4;

std::vector<CallStream> program(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<CallStream> threads;
  threads.push_back(test::random_stream(random, {.calls = 20'000}));
  threads.push_back(test::random_stream(
      random, {.calls = 10'000, .methods = 3, .deepest = 400, .call_chance = 0.6}));
  threads.push_back(test::random_stream(random, {.calls = 10'000, .throw_chance = 0.2}));
  threads.push_back(test::recursive_stream(random, 3000, 6));
  threads.push_back(
      test::random_stream(random, {.calls = 10'000, .methods = 2000, .sites = 1, .deepest = 2}));
  return threads;
}

void expect_evicted_right(const ContextTree& tree, const std::vector<CallStream>& threads) {
  Cct truth;
  for (const CallStream& stream : threads) test::add_stream(truth, stream);
  const Status sound = check_invariants(tree);
  EXPECT_TRUE(sound.ok()) << sound.message();
  EXPECT_EQ(test::eviction_mistake(tree, truth), "");
  EXPECT_GT(tree.evicted().contexts, 0u);
  EXPECT_LT(tree.node_count(), truth.node_count());
}

TEST(EvictionProperty, ATreeWithLiveNodesKeepsThemAndEvictsTheRest) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<CallStream> threads = program(seed);
    const std::uint32_t most = 50 << seed;
    Cct tree;
    std::size_t deepest = 0;
    for (const CallStream& stream : threads) {
      std::vector<std::uint32_t> frames{0};
      for (const CallRecord record : stream) {
        frames.resize(depth_of(record) + 1);
        frames.push_back(tree.child(frames.back(), key_of(record)));
        tree.add_calls(frames.back(), 1);
        deepest = std::max(deepest, frames.size());
        tree.evict_above(most, frames);
        ASSERT_EQ(tree.key(frames.back()), key_of(record));
        ASSERT_LE(tree.node_count(), 3 * (most + deepest));
      }
    }
    tree.evict_above(most);
    EXPECT_LE(tree.node_count(), most);
    expect_evicted_right(tree, threads);
  }
}

TEST(EvictionProperty, PacketsFoldedByAnyNumberOfWorkers) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<CallStream> threads = program(seed);
    for (const auto kind : {EngineOptions::Kind::kParallel, EngineOptions::Kind::kUptree}) {
      const EngineOptions options{.kind = kind,
                                  .workers = 1 + static_cast<unsigned>(seed % 4),
                                  .delta_nodes = 200,
                                  .most_nodes = 100u << seed};
      shadowstack::PacketPool pool({.slots = 64, .queue_bytes = 1 << 16});
      const std::unique_ptr<Engine> engine = Engine::make(options, pool);
      shadowstack::Recorder recorder(pool, *engine);
      {
        std::vector<std::jthread> players;
        for (std::size_t i = 0; i < threads.size(); ++i) {
          players.emplace_back([&, i] {
            test::play(recorder, static_cast<std::int64_t>(i), threads[i], pool.packet_bytes());
          });
        }
      }
      recorder.close();
      const ContextTree& tree = engine->finish();
      EXPECT_EQ(recorder.calls_lost() + engine->stats().calls_lost, 0u);
      EXPECT_LE(tree.node_count(), options.most_nodes);
      expect_evicted_right(tree, threads);
    }
  }
}

TEST(EvictionProperty, TreesInPlaceShrinkWhileTheirThreadsRun) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<CallStream> threads = program(seed);
    std::uint64_t calls = 0;
    for (const CallStream& stream : threads) calls += stream.size();
    InlineTrees trees((16u << 10) << seed, [](MethodId) { return 8u; });
    {
      std::vector<std::jthread> players;
      for (std::size_t i = 0; i < threads.size(); ++i) {
        players.emplace_back([&, i] {
          shadowstack::ThreadHeader* header = trees.attach(static_cast<std::int64_t>(i), "player");
          test::InlineProbe probe(trees, header);
          probe.run(threads[i], i % 2 == 0 ? test::Leaving::kByReturns : test::Leaving::kByThrow);
          EXPECT_EQ(probe.frames_spoiled(), 0u);
          trees.detach(header);
        });
      }
    }
    trees.close();
    EXPECT_EQ(trees.calls_seen(), calls);
    EXPECT_EQ(trees.calls_without_room(), 0u);
    EXPECT_EQ(trees.memory_bytes(), 0u);
    expect_evicted_right(trees.tree(), threads);
  }
}

}  // namespace
}  // namespace copse::cct
