// Recordings that begin after their threads: calls before are no part of them, the frames are known.
#include <gtest/gtest.h>

#include <random>
#include <thread>
#include <vector>

#include "cct/inplace/inline_trees.h"
#include "cct/packets/engine.h"
#include "cct/tree_check.h"
#include "shadowstack/packets/recorder.h"
#include "support/call_streams.h"
#include "support/inline_probe.h"
#include "support/plenty.h"
#include "support/reference_tree.h"

namespace copse::cct {
namespace {

using test::call;
using test::CallStream;
using test::eight_sites;
using test::InlineProbe;
using test::kPlenty;
using test::ReferenceTree;
using test::tree_text;

// A thread that ended before, one that goes on, and one that comes later.
struct Threads {
  explicit Threads(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    before = test::random_stream(random, {});
    during = test::random_stream(random, {});
    after = test::random_stream(random, {});
    begins_at = random() % (during.size() + 1);
  }
  std::uint64_t counted() const { return during.size() - begins_at + after.size(); }
  std::string truth() const {
    ReferenceTree tree;
    tree.add(during, {.begins_at = begins_at});
    tree.add(after);
    return tree.text(false);
  }

  CallStream before, during, after;
  std::uint64_t begins_at;
};

void expect_rows(const std::vector<shadowstack::ThreadRow>& rows, const Threads& threads) {
  std::uint64_t calls = 0;
  for (const shadowstack::ThreadRow& row : rows) {
    EXPECT_NE(row.name, "before");
    calls += row.calls;
  }
  EXPECT_EQ(calls, threads.counted());
}

void run(InlineTrees& trees, const Threads& threads) {
  trees.wait_to_begin();
  shadowstack::ThreadHeader* header = trees.attach(1, "before");
  InlineProbe(trees, header).run(threads.before);
  trees.detach(header);
  header = trees.attach(2, "during");
  InlineProbe probe(trees, header);
  std::uint64_t made = 0;
  const auto begin = [&] {
    if (made++ == threads.begins_at) {
      EXPECT_TRUE(trees.begin().ok());
    }
  };
  begin();
  probe.run(threads.during, test::Leaving::kByReturns, begin);
  EXPECT_EQ(probe.frames_spoiled(), 0u);
  InlineProbe(trees, trees.attach(3, "after")).run(threads.after);
}

TEST(LateBeginning, TreesInPlaceLeaveOutTheCallsBefore) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Threads threads(seed);
    InlineTrees trees(kPlenty, eight_sites);
    run(trees, threads);
    const Result<RecordingSnapshot> so_far = trees.snapshot();
    ASSERT_TRUE(so_far.ok());
    EXPECT_EQ(tree_text(*so_far->tree), threads.truth());
    EXPECT_EQ(so_far->calls_seen, threads.counted());
    expect_rows(so_far->threads, threads);
    trees.close();
    EXPECT_EQ(tree_text(trees.tree()), threads.truth());
    EXPECT_EQ(trees.calls_seen(), threads.counted());
    EXPECT_EQ(trees.calls_without_room(), 0u);
    expect_rows(trees.threads(), threads);
  }
}

TEST(LateBeginning, CallsAreLeftOutOnceWhereTreesShrinkAndContextsAreEvicted) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    Threads threads(seed);
    threads.during = test::random_stream(random, {.calls = 50'000, .methods = 300});
    threads.begins_at = 1 + random() % threads.during.size();
    const std::uint64_t bound = seed % 2 == 0 ? 64 << 10 : 1 << 20;
    InlineTrees trees(bound, eight_sites, shadowstack::anonymous_memory(),
                      {.recursion = seed % 3 == 0 ? Recursion::kMerge : Recursion::kFull});
    run(trees, threads);
    trees.close();
    EXPECT_EQ(trees.calls_seen(), threads.counted());
    EXPECT_EQ(total_calls(trees.tree()) + trees.calls_without_room(), threads.counted());
    expect_rows(trees.threads(), threads);
  }
}

TEST(LateBeginning, CountsAddUpWhileThreadsCall) {
  std::mt19937_64 random(3);
  const CallStream stream = test::random_stream(random, {.calls = 4000});
  InlineTrees trees(kPlenty, eight_sites);
  trees.wait_to_begin();
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      for (int life = 0; life < 20; ++life) {
        shadowstack::ThreadHeader* header = trees.attach(i, "player");
        InlineProbe(trees, header).run(stream);
        if (life < 19) trees.detach(header);
      }
    });
  }
  EXPECT_TRUE(trees.begin().ok());
  for (std::thread& thread : threads) thread.join();
  trees.close();
  EXPECT_TRUE(check_invariants(trees.tree()).ok());
  EXPECT_EQ(total_calls(trees.tree()), trees.calls_seen());
  EXPECT_LE(trees.calls_seen(), 60 * stream.size());
  std::uint64_t calls = 0;
  for (const auto& row : trees.threads()) calls += row.calls;
  EXPECT_EQ(calls, trees.calls_seen());
}

TEST(LateBeginning, PacketsLeaveOutTheCallsBefore) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Threads threads(seed);
    const auto kind = seed % 2 == 0 ? EngineOptions::Kind::kParallel : EngineOptions::Kind::kUptree;
    shadowstack::PacketPool pool({.slots = seed % 3 == 0 ? 8u : 64u});
    const std::unique_ptr<Engine> engine = Engine::make({.kind = kind, .workers = 2}, pool);
    shadowstack::Recorder recorder(pool, *engine);
    recorder.wait_to_begin();
    test::play(recorder, 1, threads.before, pool.packet_bytes());
    shadowstack::ThreadHeader* header = recorder.attach(2, "during");
    for (std::uint64_t i = 0; i <= threads.during.size(); ++i) {
      if (seed % 5 == 0 && i % 7 == 0) recorder.flush();
      if (i == threads.begins_at) recorder.begin();
      if (i == threads.during.size()) break;
      test::append(recorder, header, threads.during[i], pool.packet_bytes());
    }
    test::play(recorder, 3, threads.after, pool.packet_bytes());
    recorder.close();
    EXPECT_EQ(tree_text(engine->finish()), threads.truth());
    EXPECT_EQ(recorder.calls_seen(), threads.counted());
    EXPECT_EQ(recorder.calls_lost(), 0u);
    expect_rows(recorder.threads(), threads);
  }
}

}  // namespace
}  // namespace copse::cct
