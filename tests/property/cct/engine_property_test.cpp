// Whatever the workers, the packet size, the order of packets and the engine: the tree is the one
// the definitions give. Streams are random and seeded; a failure names the seed.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cct/packets/engine.h"
#include "cct/tree_check.h"
#include "shadowstack/packets/packet_pool.h"
#include "shadowstack/packets/recorder.h"
#include "support/call_streams.h"
#include "support/merged_tree.h"
#include "support/reference_tree.h"

namespace copse::cct {
namespace {

using test::CallStream;
using test::ReferenceOptions;
using test::ReferenceTree;
using test::StreamShape;

constexpr std::uint64_t kSeeds = 8;

std::vector<CallStream> program(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<CallStream> threads;
  threads.push_back(test::random_stream(random, {}));
  threads.push_back(
      test::random_stream(random, {.methods = 3, .deepest = 400, .call_chance = 0.6}));
  threads.push_back(test::random_stream(random, {.throw_chance = 0.2}));
  threads.push_back(test::random_stream(random, {.gap_chance = 0.02}));
  threads.push_back(test::random_stream(random, {.calls = 3, .deepest = 1}));
  threads.push_back(test::recursive_stream(random, 1000, 6));
  threads.push_back(test::random_stream(random, {.methods = 2000, .sites = 1, .deepest = 2}));
  return threads;
}

std::string truth(const std::vector<CallStream>& threads, const ReferenceOptions& options) {
  ReferenceTree tree;
  for (const CallStream& stream : threads) tree.add(stream, options);
  return tree.text(options.event_every == 0);
}

struct Setting {
  EngineOptions engine;
  std::uint32_t slots = 4096;
  std::uint64_t queue_bytes = 1 << 20;
  bool at_once = true;  // the program's threads
};

// `look(tree)`.
template <typename Look>
void with_tree(const std::vector<CallStream>& threads, const Setting& run, Look look) {
  shadowstack::PacketPool pool({.slots = run.slots, .queue_bytes = run.queue_bytes});
  const std::unique_ptr<Engine> engine = Engine::make(run.engine, pool);
  shadowstack::Recorder recorder(pool, *engine);
  std::uint64_t calls = 0;
  {
    std::vector<std::jthread> players;
    for (std::size_t i = 0; i < threads.size(); ++i) {
      calls += threads[i].size();
      players.emplace_back([&, i] {
        test::play(recorder, static_cast<std::int64_t>(i), threads[i], pool.packet_bytes());
      });
      if (!run.at_once) players.back().join();
    }
  }
  recorder.close();
  const ContextTree& tree = engine->finish();
  const Status sound = check_invariants(tree);
  EXPECT_TRUE(sound.ok()) << sound.message();
  EXPECT_EQ(recorder.calls_seen(), calls);
  EXPECT_EQ(recorder.calls_lost() + engine->stats().calls_lost, 0u);
  if (run.engine.event_every == 0) {
    EXPECT_EQ(total_calls(tree), calls);
  }
  look(tree);
}

std::string built(const std::vector<CallStream>& threads, const Setting& run) {
  std::string text;
  with_tree(threads, run, [&](const ContextTree& tree) { text = test::tree_text(tree); });
  return text;
}

class EngineProperty : public testing::TestWithParam<std::uint64_t> {
 protected:
  const std::vector<CallStream> threads_ = program(GetParam());
};

TEST_P(EngineProperty, TreeIsTheReferenceForAnyWorkersAndPacketSize) {
  const std::string expected = truth(threads_, {});
  for (const unsigned workers : {1u, 4u}) {
    for (const std::uint32_t slots : {8u, 64u, 4096u}) {
      EXPECT_EQ(built(threads_, {.engine = {.workers = workers}, .slots = slots}), expected)
          << workers << " workers, " << slots << " slots";
    }
  }
}

TEST_P(EngineProperty, TinyDeltaTreesAndQueuesChangeNothing) {
  const std::string expected = truth(threads_, {});
  for (const std::uint32_t delta_nodes : {2u, 100u}) {
    EXPECT_EQ(built(threads_, {.engine = {.workers = 3, .delta_nodes = delta_nodes},
                               .slots = 32,
                               .queue_bytes = 4096}),
              expected);
  }
}

TEST_P(EngineProperty, MethodsAloneWithoutSites) {
  const std::string expected = truth(threads_, {.sites = false});
  EXPECT_EQ(built(threads_, {.engine = {.workers = 2, .sites = false}, .slots = 32}), expected);
  EXPECT_EQ(built(threads_,
                  {.engine = {.kind = EngineOptions::Kind::kUptree, .workers = 2, .sites = false},
                   .slots = 32}),
            expected);
}

TEST_P(EngineProperty, MergedRecursionIsTheMergeOfTheTruth) {
  const std::string expected = truth(threads_, {.merge_recursion = true});
  for (const std::uint32_t delta_nodes : {50u, 1u << 16}) {
    for (const std::uint32_t slots : {8u, 4096u}) {
      EXPECT_EQ(built(threads_, {.engine = {.workers = delta_nodes == 50 ? 4u : 1u,
                                            .recursion = {.recursion = cct::Recursion::kMerge},
                                            .delta_nodes = delta_nodes},
                                 .slots = slots}),
                expected);
    }
  }
}

TEST_P(EngineProperty, CyclesThatAreFoundAreMergedInAllTrees) {
  for (const auto kind : {EngineOptions::Kind::kParallel, EngineOptions::Kind::kUptree}) {
    for (const std::uint64_t look_at : {1u, 500u, 1u << 30}) {
      const Setting run{.engine = {.kind = kind,
                                   .workers = 3,
                                   .recursion = {.recursion = Recursion::kAuto, .look_at = look_at},
                                   .delta_nodes = 50},
                        .slots = 32};
      with_tree(threads_, run, [&](const ContextTree& tree) {
        EXPECT_TRUE(look_at <= 500 || tree.merged().methods.empty());
        test::expect_merge_of(threads_, tree);
      });
    }
  }
}

TEST_P(EngineProperty, EagerUptreeHasTheContextsAndCountsOfTheTree) {
  const std::string expected = truth(threads_, {});
  for (const std::uint32_t delta_nodes : {20u, 1000u, 1u << 16}) {
    EXPECT_EQ(built(threads_, {.engine = {.kind = EngineOptions::Kind::kUptree,
                                          .workers = 3,
                                          .delta_nodes = delta_nodes},
                               .slots = 64}),
              expected)
        << delta_nodes << " nodes";
  }
}

TEST_P(EngineProperty, LazyUptreeHasTheContextsAndCountsOfItsEvents) {
  for (const std::uint64_t every : {2u, 7u, 100u}) {
    const std::string expected = truth(threads_, {.event_every = every});
    for (const std::uint32_t slots : {8u, 256u}) {
      EXPECT_EQ(built(threads_, {.engine = {.kind = EngineOptions::Kind::kUptree,
                                            .workers = 2,
                                            .event_every = every,
                                            .delta_nodes = 50},
                                 .slots = slots}),
                expected)
          << "every " << every;
    }
  }
}

// Keeps packets until they are asked for.
class HoldingSink : public shadowstack::PacketSink {
 public:
  void submit(shadowstack::Packet* packet) noexcept override { packets.push_back(packet); }
  bool help() noexcept override { return false; }
  std::vector<shadowstack::Packet*> packets;
};

TEST_P(EngineProperty, PacketsMayComeInAnyOrder) {
  const std::string expected = truth(threads_, {});
  for (const EngineOptions::Kind kind :
       {EngineOptions::Kind::kParallel, EngineOptions::Kind::kUptree}) {
    shadowstack::PacketPool pool({.slots = 32});
    HoldingSink held;
    shadowstack::Recorder recorder(pool, held);
    for (const CallStream& stream : threads_) test::play(recorder, 1, stream, pool.packet_bytes());
    std::mt19937_64 random(GetParam());
    std::shuffle(held.packets.begin(), held.packets.end(), random);
    const std::unique_ptr<Engine> engine =
        Engine::make({.kind = kind, .workers = 2, .delta_nodes = 500}, pool);
    for (shadowstack::Packet* packet : held.packets) engine->submit(packet);
    EXPECT_EQ(test::tree_text(engine->finish()), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, EngineProperty, testing::Range<std::uint64_t>(1, 1 + kSeeds),
                         testing::PrintToStringParamName());

TEST(DeepRecursion, OfAHundredThousandFramesIsExact) {
  std::mt19937_64 random(5);
  const std::vector<CallStream> threads{test::recursive_stream(random, 100'000, 4)};
  const std::string expected = truth(threads, {});
  for (const EngineOptions::Kind kind :
       {EngineOptions::Kind::kParallel, EngineOptions::Kind::kUptree}) {
    EXPECT_TRUE(built(threads, {.engine = {.kind = kind, .workers = 1}, .slots = 256}) == expected);
    EXPECT_TRUE(built(threads, {.engine = {.kind = kind, .workers = 3}, .slots = 256}) == expected);
  }
}

TEST(WideNodes, WithAHundredThousandChildrenAreExact) {
  CallStream stream{test::call(0, 0, 1)};
  for (unsigned round = 0; round < 2; ++round) {
    for (unsigned i = 0; i < 100'000; ++i) stream.push_back(test::call(1, i % 3, 2 + i));
  }
  const std::vector<CallStream> threads{stream};
  EXPECT_TRUE(built(threads, {.engine = {.workers = 2}}) == truth(threads, {}));
}

}  // namespace
}  // namespace copse::cct
