// Many threads, tiny packets, tiny pools: helping, growth, thread ends and the end of recording all
// at once. Meant for ThreadSanitizer; the counts carry their own check.
#include <gtest/gtest.h>

#include <atomic>
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
#include "support/reference_tree.h"

namespace copse::cct {
namespace {

using test::CallStream;

struct Setting {
  EngineOptions::Kind kind;
  unsigned workers;
  std::uint32_t slots;
  std::uint64_t queue_bytes;
  std::uint32_t delta_nodes;
};

class RecordingStress : public testing::TestWithParam<Setting> {
 protected:
  static constexpr unsigned kThreads = 8;

  std::unique_ptr<Engine> engine(shadowstack::PacketPool& pool) const {
    return Engine::make({.kind = GetParam().kind,
                         .workers = GetParam().workers,
                         .delta_nodes = GetParam().delta_nodes},
                        pool);
  }
  shadowstack::PacketPoolOptions pool() const {
    return {.slots = GetParam().slots, .queue_bytes = GetParam().queue_bytes};
  }
};

TEST_P(RecordingStress, ThreadsThatComeAndGoLeaveTheExactTree) {
  constexpr int kLives = 12;
  shadowstack::PacketPool pool(this->pool());
  const std::unique_ptr<Engine> engine = this->engine(pool);
  shadowstack::Recorder recorder(pool, *engine);
  std::vector<std::vector<CallStream>> lives(kThreads);
  test::ReferenceTree truth;
  std::uint64_t calls = 0;
  for (unsigned i = 0; i < kThreads; ++i) {
    std::mt19937_64 random(i + 1);
    for (int life = 0; life < kLives; ++life) {
      const std::size_t length = random() % 900;
      lives[i].push_back(
          test::random_stream(random, {.calls = length, .deepest = 300, .call_chance = 0.6}));
      truth.add(lives[i].back());
      calls += length;
    }
  }
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        for (const CallStream& stream : lives[i])
          test::play(recorder, i, stream, pool.packet_bytes());
      });
    }
  }
  recorder.close();
  const ContextTree& tree = engine->finish();
  EXPECT_TRUE(check_invariants(tree).ok());
  EXPECT_TRUE(test::tree_text(tree) == truth.text());
  EXPECT_EQ(recorder.calls_seen(), calls);
  EXPECT_EQ(recorder.calls_lost(), 0u);
  const EngineStats stats = engine->stats();
  EXPECT_EQ(stats.packets_by_workers + stats.packets_by_producers, recorder.packets());
}

TEST_P(RecordingStress, CloseTakesWhatRunningThreadsHaveAppended) {
  for (std::uint64_t round = 0; round < 8; ++round) {
    shadowstack::PacketPool pool(this->pool());
    const std::unique_ptr<Engine> engine = this->engine(pool);
    shadowstack::Recorder recorder(pool, *engine);
    std::atomic<bool> stop{false};
    std::atomic<unsigned> busy{0};
    std::vector<std::uint64_t> before(kThreads);  // appended when close() had not begun
    std::atomic<bool> closing{false};
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        // A saw-tooth: each record is told apart by its depth, method and thread.
        while (!stop.load(std::memory_order_relaxed)) {
          shadowstack::ThreadHeader* header = recorder.attach(i, "saw");
          for (std::uint32_t n = 0; n < 3000 && !stop.load(std::memory_order_relaxed); ++n) {
            test::append(recorder, header, test::call(n % 50, 0, 1 + i), pool.packet_bytes());
            if (!closing.load()) ++before[i];
            if (n == 500) busy.fetch_add(1);
          }
          recorder.detach(header);
        }
      });
    }
    while (busy.load() < kThreads + round) std::this_thread::yield();
    closing.store(true);
    recorder.close();
    const ContextTree& tree = engine->finish();
    stop.store(true);
    threads.clear();
    std::uint64_t least = 0;
    for (const std::uint64_t calls : before) least += calls;
    EXPECT_GE(recorder.calls_seen(), least);
    EXPECT_EQ(recorder.calls_seen(), total_calls(tree) + recorder.calls_lost());
    EXPECT_EQ(recorder.calls_lost(), 0u);
    // Thread i's contexts are chains of method 1 + i, whose counts never grow with depth.
    for (std::uint32_t n = 1; n < tree.node_count(); ++n) {
      const ContextNode node = tree.node(NodeIndex{n});
      const ContextNode above = tree.node(node.parent);
      if (node.parent == kRootNode) continue;
      EXPECT_EQ(method_of(node.key), method_of(above.key));
      EXPECT_LE(node.calls, above.calls);
    }
    EXPECT_LE(tree.node_count(), 1 + kThreads * 50);
  }
}

std::string name_of(const testing::TestParamInfo<Setting>& info) {
  const Setting& s = info.param;
  return std::string(s.kind == EngineOptions::Kind::kUptree ? "Uptree" : "Tree") +
         std::to_string(s.workers) + "Workers" + std::to_string(s.slots) + "Slots" +
         std::to_string(s.queue_bytes) + "Queue";
}

constexpr auto kTree = EngineOptions::Kind::kParallel;
constexpr auto kUptree = EngineOptions::Kind::kUptree;
INSTANTIATE_TEST_SUITE_P(Settings, RecordingStress,
                         testing::Values(Setting{kTree, 1, 8, 1, 100},
                                         Setting{kTree, 4, 8, 4096, 50},
                                         Setting{kTree, 4, 64, 1 << 16, 1 << 16},
                                         Setting{kTree, 2, 4096, 1 << 20, 1000},
                                         Setting{kUptree, 3, 16, 4096, 100}),
                         name_of);

}  // namespace
}  // namespace copse::cct
