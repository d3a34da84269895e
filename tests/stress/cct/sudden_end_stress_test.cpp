// Threads attach, make calls and detach while close() comes at a random moment: what each life had
// done by then is in the tree exactly, what came later is not. Meant for ThreadSanitizer.
//
// Every life's entry is a method of its own, so that its contexts hang under a child of ROOT that
// no other life has.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cct/inplace/inline_trees.h"
#include "cct/packets/engine.h"
#include "cct/tree_check.h"
#include "shadowstack/packets/packet_pool.h"
#include "shadowstack/packets/recorder.h"
#include "support/call_streams.h"
#include "support/inline_probe.h"
#include "support/reference_tree.h"

namespace copse::cct {
namespace {

using test::CallStream;

constexpr unsigned kThreads = 6;
constexpr unsigned kLives = 15;  // of each thread
constexpr unsigned kMethods = 12;
constexpr unsigned kRounds = 3;

// One life of a thread. Written by its thread; read when all threads are joined.
struct Life {
  std::int64_t id = 0;
  CallStream stream;
  std::uint64_t before = 0;            // calls it had made when close() was about to begin
  std::atomic<std::uint64_t> made{0};  // calls so far
  std::atomic<bool> ended{false};      // detach() has returned
  bool ended_before = false;           // and had done so when close() was about to begin
};
using Lives = std::vector<std::unique_ptr<Life>>;

Lives random_lives(std::mt19937_64& random) {
  Lives lives;
  for (unsigned i = 0; i < kThreads * kLives; ++i) {
    auto life = std::make_unique<Life>();
    life->id = i + 1;
    life->stream = test::random_stream(
        random,
        {.calls = 1 + random() % 700, .methods = kMethods, .deepest = 100, .call_chance = 0.55});
    for (CallRecord& record : life->stream) {
      if (depth_of(record) == 0) record = test::call(0, 0, kMethods + 1 + i);
    }
    lives.push_back(std::move(life));
  }
  return lives;
}

// Runs every life, and close() when the threads have made so many calls in all. They wait for it
// there, in the middle of a life as a rule, and go on while it runs.
template <typename Play>
void live_until(std::uint64_t moment, Lives& lives, shadowstack::ThreadRecorder& recorder,
                Play play) {
  std::atomic<std::uint64_t> made{0};
  std::atomic<bool> closing{false};
  std::vector<std::jthread> threads;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (unsigned i = thread; i < lives.size(); i += kThreads) {
        Life& life = *lives[i];
        play(life, [&] {
          life.made.fetch_add(1);
          if (made.fetch_add(1) < moment) return;
          while (!closing.load()) std::this_thread::yield();
        });
        life.ended.store(true);
      }
    });
  }
  while (made.load() < moment) std::this_thread::yield();
  for (const auto& life : lives) {
    life->before = life->made.load();
    life->ended_before = life->ended.load();
  }
  closing.store(true);
  recorder.close();
}

std::uint64_t calls_of(const Lives& lives) {
  std::uint64_t calls = 0;
  for (const auto& life : lives) calls += life->stream.size();
  return calls;
}

// Calls of each life, as a recorder reports them; lives that are not listed made none.
std::map<std::int64_t, std::uint64_t> calls_by_life(const shadowstack::ThreadRecorder& recorder) {
  std::map<std::int64_t, std::uint64_t> calls;
  for (const auto& row : recorder.threads()) calls[row.runtime_id] += row.calls;
  return calls;
}

void expect_bounds(const Lives& lives, std::map<std::int64_t, std::uint64_t> seen) {
  for (const auto& life : lives) {
    const std::uint64_t calls = seen[life->id];
    EXPECT_GE(calls, life->before) << "life " << life->id;
    EXPECT_LE(calls, life->stream.size()) << "life " << life->id;
    if (life->ended_before) {
      EXPECT_EQ(calls, life->stream.size()) << "life " << life->id;
    }
  }
}

class SuddenEnd : public testing::TestWithParam<std::uint64_t> {
 protected:
  SuddenEnd() : random_(GetParam()) { RecordProperty("seed", std::to_string(GetParam())); }
  std::uint64_t random_moment(const Lives& lives) { return random_() % calls_of(lives); }

  std::mt19937_64 random_;
};

// The records of a life are cut at one place: the tree is that of the streams up to there.
TEST_P(SuddenEnd, OfPacketsLeavesTheTreeOfEveryStreamsBeginning) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  for (const std::uint32_t slots : {8u, 64u, 1024u}) {
    Lives lives = random_lives(random_);
    shadowstack::PacketPool pool(
        {.slots = slots, .queue_bytes = random_() % 2 == 0 ? 1u : 1u << 16});
    const std::unique_ptr<Engine> engine = Engine::make(
        {.kind = EngineOptions::Kind::kParallel, .workers = 3, .delta_nodes = 60}, pool);
    shadowstack::Recorder recorder(pool, *engine);
    live_until(random_moment(lives), lives, recorder, [&](const Life& life, auto after_call) {
      shadowstack::ThreadHeader* header = recorder.attach(life.id, "life");
      for (const CallRecord record : life.stream) {
        test::append(recorder, header, record, pool.packet_bytes());
        after_call();
      }
      recorder.detach(header);
    });
    const ContextTree& tree = engine->finish();
    const auto seen = calls_by_life(recorder);
    expect_bounds(lives, seen);
    test::ReferenceTree truth;
    for (const auto& life : lives) {
      const auto calls = seen.find(life->id);
      if (calls == seen.end()) continue;
      truth.add(std::span(life->stream).first(calls->second));
    }
    EXPECT_TRUE(check_invariants(tree).ok());
    EXPECT_TRUE(test::tree_text(tree) == truth.text());
    EXPECT_EQ(recorder.calls_seen(), total_calls(tree));
    EXPECT_EQ(recorder.calls_lost(), 0u);
  }
}

// Counts are read while they change, so the tree of a life that was cut lies between two moments.
TEST_P(SuddenEnd, OfTreesInPlaceLeavesWhatEveryLifeHadCounted) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  Lives lives = random_lives(random_);
  InlineTrees trees(std::uint64_t{1} << 30, [](MethodId) { return 8u; });
  live_until(random_moment(lives), lives, trees, [&](const Life& life, auto after_call) {
    shadowstack::ThreadHeader* header = trees.attach(life.id, "life");
    test::InlineProbe(trees, header).run(life.stream, test::Leaving::kByReturns, after_call);
    trees.detach(header);
  });
  const ContextTree& tree = trees.tree();
  EXPECT_TRUE(check_invariants(tree).ok());
  EXPECT_EQ(trees.calls_seen(), total_calls(tree));
  EXPECT_EQ(trees.calls_without_room(), 0u);
  expect_bounds(lives, calls_by_life(trees));

  // Per context: at least what had been counted before, at most what its whole life counts.
  test::ReferenceTree least, most;
  for (const auto& life : lives) {
    least.add(std::span(life->stream).first(life->before));
    most.add(life->stream);
  }
  const auto counts_of = [](const std::string& text) {
    std::map<std::string, std::uint64_t> counts;
    std::vector<std::string> path;
    std::istringstream lines(text);
    std::size_t depth = 0;
    std::string key;
    for (std::uint64_t calls = 0; lines >> depth >> key >> calls;) {
      path.resize(depth);
      path.push_back(key);
      std::string context;
      for (const std::string& frame : path) context += frame + ' ';
      counts[context] = calls;
    }
    return counts;
  };
  const auto counted = counts_of(test::tree_text(tree));
  const auto fewest = counts_of(least.text());
  const auto utmost = counts_of(most.text());
  for (const auto& [context, calls] : fewest) {
    const auto found = counted.find(context);
    ASSERT_TRUE(found != counted.end()) << context;
    EXPECT_GE(found->second, calls) << context;
  }
  for (const auto& [context, calls] : counted) {
    const auto found = utmost.find(context);
    ASSERT_TRUE(found != utmost.end()) << context;
    EXPECT_LE(calls, found->second) << context;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SuddenEnd, testing::Range<std::uint64_t>(1, kRounds + 1));

}  // namespace
}  // namespace copse::cct
