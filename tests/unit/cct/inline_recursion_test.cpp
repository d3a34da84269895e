// Recursion merged in trees in place.
#include <gtest/gtest.h>

#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cct/inplace/inline_trees.h"
#include "cct/tree_check.h"
#include "support/call_streams.h"
#include "support/inline_probe.h"
#include "support/merged_tree.h"
#include "support/plenty.h"
#include "support/reference_tree.h"

namespace copse::cct {
namespace {

using test::call;
using test::CallStream;
using test::eight_sites;
using test::expect_merge_of;
using test::InlineProbe;
using test::kPlenty;
using test::ReferenceTree;
using test::tree_text;

constexpr RecursionOptions kMerged{.recursion = Recursion::kMerge};

InlineTrees made(const RecursionOptions& recursion, std::uint64_t most_bytes = kPlenty) {
  return InlineTrees(most_bytes, eight_sites, shadowstack::anonymous_memory(), recursion);
}

void play(InlineTrees& trees, std::int64_t id, const CallStream& stream,
          test::Leaving leaving = test::Leaving::kByReturns) {
  shadowstack::ThreadHeader* header = trees.attach(id, "player");
  InlineProbe probe(trees, header);
  probe.run(stream, leaving);
  EXPECT_EQ(probe.frames_spoiled(), 0u);
  trees.detach(header);
}

std::string truth(const std::vector<CallStream>& streams, const test::ReferenceOptions& options) {
  ReferenceTree tree;
  for (const CallStream& stream : streams) tree.add(stream, options);
  return tree.text();
}

CallStream recursive(std::mt19937_64& random, std::size_t calls) {
  return test::random_stream(random, {.calls = calls, .methods = 12, .deepest = 40});
}

TEST(InlineRecursion, ACallThatClosesACycleCountsAtTheMethodsNodeFurtherUp) {
  InlineTrees trees = made(kMerged);
  play(trees, 1, {call(0, 0, 1), call(1, 1, 2), call(2, 1, 1), call(3, 2, 3), call(1, 2, 3)});
  trees.close();
  EXPECT_EQ(tree_text(trees.tree()), "0 1@0 2\n1 2@1 1\n1 3@2 2\n");
  EXPECT_TRUE(trees.tree().merged().all);
}

TEST(InlineRecursion, IsTheMergeOfTheTruth) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const CallStream stream = recursive(random, 8000);
    for (const auto leaving : {test::Leaving::kByReturns, test::Leaving::kByThrow}) {
      InlineTrees trees = made(kMerged);
      play(trees, 1, stream, leaving);
      trees.close();
      EXPECT_EQ(tree_text(trees.tree()), truth({stream}, {.merge_recursion = true}));
      EXPECT_EQ(trees.calls_seen(), stream.size());
    }
  }
}

// Code that is not recorded calls and returns without storing a word: a sort, its comparator, and again.
TEST(InlineRecursion, CalleesOfWhatIsNotRecordedHangWhereTheyAreCalledFrom) {
  InlineTrees trees = made(kMerged);
  shadowstack::ThreadHeader* header = trees.attach(1, "main");
  InlineProbe probe(trees, header);
  const auto sort = SiteOrdinal{3};
  const std::uint64_t main = probe.enter(MethodId{1});
  probe.call(main, SiteOrdinal{1});
  const std::uint64_t visit = probe.enter(MethodId{2});
  for (int depth = 0; depth < 3; ++depth) {
    probe.call(visit, sort);
    const std::uint64_t again = probe.enter(MethodId{2});
    for (int i = 0; i < 2; ++i) {
      probe.call(again, sort);
      for (const unsigned callee : {3u, 1u, 4u}) probe.exit(probe.enter(MethodId{callee}));
      probe.restore(again);
    }
    probe.exit(again);
    probe.exit(probe.enter(MethodId{5}));
    probe.restore(visit);
  }
  trees.close();
  EXPECT_EQ(tree_text(trees.tree()), "0 1@0 7\n1 2@1 4\n2 3@3 6\n2 4@3 6\n2 5@3 3\n");
}

TEST(InlineRecursion, MakesAMillionContextsFew) {
  // A method that calls itself at two sites, 19 deep, and a leaf: 2^19 contexts and more.
  InlineTrees trees = made(kMerged);
  shadowstack::ThreadHeader* header = trees.attach(1, "main");
  InlineProbe probe(trees, header);
  std::uint64_t calls = 0;
  const std::function<void(int)> run = [&](int depth) {
    ++calls;
    const std::uint64_t frame = probe.enter(MethodId{1});
    for (const unsigned site : {1u, 2u}) {
      if (depth == 0) break;
      probe.call(frame, SiteOrdinal{static_cast<std::uint16_t>(site)});
      run(depth - 1);
      probe.restore(frame);
    }
    probe.exit(frame);
  };
  run(19);
  EXPECT_LE(trees.memory_bytes(), 4096u);
  trees.close();
  EXPECT_EQ(tree_text(trees.tree()), "0 1@0 " + std::to_string(calls) + "\n");
}

// The work is that of the contexts, not of all that is above each.
TEST(InlineRecursion, IsMergedInTimeWhereItIsDeep) {
  constexpr std::uint32_t kDeep = 600'000;
  CallStream stream;
  for (std::uint32_t depth = 0; depth < kDeep; ++depth) stream.push_back(call(depth, 1, 1));
  InlineTrees trees = made({.recursion = Recursion::kAuto, .look_at = kDeep - 100'000});
  const std::clock_t begin = std::clock();
  play(trees, 1, stream);
  EXPECT_LT((std::clock() - begin) / CLOCKS_PER_SEC, 10);
  trees.close();
  EXPECT_EQ(trees.tree().merged().methods.size(), 1u);
  EXPECT_EQ(trees.calls_seen(), kDeep);
}

// Whichever cycles were found and when, also in the middle of a deep recursion.
TEST(InlineRecursion, IsMergedFromWhereItMadeMostContexts) {
  std::size_t merged = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::vector<CallStream> streams = {recursive(random, 12000),
                                       test::recursive_stream(random, 3000, 40),
                                       recursive(random, 12000)};
    InlineTrees trees = made({.recursion = Recursion::kAuto, .look_at = 1 + random() % 5000});
    for (const CallStream& stream : streams) play(trees, 1, stream);
    trees.close();
    expect_merge_of(streams, trees.tree());
    EXPECT_FALSE(trees.tree().merged().all);
    merged += trees.tree().merged().methods.size();
  }
  EXPECT_GT(merged, 8u);
}

// Each phase recurses in methods of its own, as a program does that compiles scripts to classes.
TEST(InlineRecursion, IsMergedForAllMethodsWhereNewOnesRecurseAgainAndAgain) {
  std::vector<CallStream> streams;
  InlineTrees trees = made({.recursion = Recursion::kAuto, .look_at = 1000});
  const auto play_phase = [&](std::uint32_t phase) {
    std::mt19937_64 random(phase);
    CallStream stream = test::random_stream(random, {.calls = 6000, .methods = 3, .deepest = 60});
    for (CallRecord& each : stream) {
      each =
          call_record(depth_of(each), site_of(each), MethodId{raw(method_of(each)) + 100 * phase});
    }
    play(trees, 1, stream);
    streams.push_back(std::move(stream));
  };
  for (std::uint32_t phase = 0; phase < 3 * kMostAdditions; ++phase) play_phase(phase);
  trees.close();
  const MergedRecursion merged = trees.tree().merged();
  EXPECT_TRUE(merged.all);
  EXPECT_GE(merged.from_contexts, 1000u);
  EXPECT_EQ(merged.times, kMostAdditions + 1);
  expect_merge_of(streams, trees.tree());
}

TEST(InlineRecursion, IsFullWhileThereAreFewContexts) {
  std::mt19937_64 random(5);
  const CallStream stream = recursive(random, 20000);
  InlineTrees trees = made({.recursion = Recursion::kAuto});
  play(trees, 1, stream);
  trees.close();
  EXPECT_EQ(tree_text(trees.tree()), truth({stream}, {}));
  EXPECT_TRUE(trees.tree().merged().methods.empty());
}

TEST(InlineRecursion, IsMergedInThreadsThatRunAtTheSameTime) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::vector<CallStream> streams;
    for (int i = 0; i < 4; ++i) streams.push_back(recursive(random, 15000));
    InlineTrees trees = made({.recursion = Recursion::kAuto, .look_at = 3000});
    std::vector<std::thread> threads;
    for (const CallStream& stream : streams) {
      threads.emplace_back([&trees, &stream] { play(trees, 1, stream); });
    }
    for (std::thread& thread : threads) thread.join();
    trees.close();
    expect_merge_of(streams, trees.tree());
    EXPECT_FALSE(trees.tree().merged().methods.empty());
  }
}

// Trees shrink, contexts are evicted, and where even that is no room calls are lost: none is
// miscounted, and no frame's node is taken from it.
TEST(InlineRecursion, AddsUpWithinAnyBound) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    for (const std::uint64_t bound : {std::uint64_t{64} << 10, std::uint64_t{1} << 20}) {
      for (const Recursion recursion : {Recursion::kMerge, Recursion::kAuto}) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(bound) + " bytes");
        std::mt19937_64 random(seed);
        const CallStream stream =
            test::random_stream(random, {.calls = 40000, .methods = 200, .deepest = 300});
        InlineTrees trees = made({.recursion = recursion, .look_at = 2000}, bound);
        play(trees, 1, stream);
        trees.close();
        EXPECT_EQ(trees.calls_seen(), stream.size());
        EXPECT_EQ(total_calls(trees.tree()) + trees.calls_without_room(), stream.size());
        EXPECT_TRUE(check_invariants(trees.tree()).ok());
      }
    }
  }
}

TEST(InlineRecursion, IsMergedInASnapshotToo) {
  std::mt19937_64 random(9);
  const CallStream stream = recursive(random, 20000);
  InlineTrees trees = made({.recursion = Recursion::kAuto, .look_at = 1000});
  shadowstack::ThreadHeader* header = trees.attach(1, "main");
  InlineProbe(trees, header).run(stream);
  const auto taken = trees.snapshot();
  ASSERT_TRUE(taken.ok()) << taken.message();
  trees.close();
  EXPECT_EQ(tree_text(*taken->tree), tree_text(trees.tree()));
  EXPECT_EQ(taken->tree->merged().methods, trees.tree().merged().methods);
}

}  // namespace
}  // namespace copse::cct
