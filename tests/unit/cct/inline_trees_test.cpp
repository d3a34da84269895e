#include "cct/inplace/inline_trees.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cct/tree_check.h"
#include "support/call_streams.h"
#include "support/inline_probe.h"
#include "support/merged_tree.h"
#include "support/passed_on_memory.h"
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

void play(InlineTrees& trees, std::int64_t id, const CallStream& stream) {
  shadowstack::ThreadHeader* header = trees.attach(id, "player");
  InlineProbe(trees, header).run(stream);
  trees.detach(header);
}

std::string truth(const std::vector<CallStream>& streams) {
  ReferenceTree tree;
  for (const CallStream& stream : streams) tree.add(stream);
  return tree.text();
}

TEST(InlineTrees, BuildTheTreeTheDefinitionsGive) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const CallStream stream = test::random_stream(random, {});
    InlineTrees trees(kPlenty, eight_sites);
    play(trees, 1, stream);
    trees.close();
    EXPECT_EQ(tree_text(trees.tree()), truth({stream}));
    EXPECT_EQ(trees.calls_seen(), stream.size());
    EXPECT_EQ(trees.calls_without_room(), 0u);
  }
}

// Calls of a thread that runs on when recording ends, with contexts for many chunks.
CallStream large_stream(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  return test::random_stream(random, {.calls = 60'000, .methods = 2000, .deepest = 9});
}

TEST(InlineTrees, GiveMemoryBackWhileALargeTreeIsAddedAtTheEnd) {
  for (const bool is_live : {true, false}) {
    for (const Recursion recursion : {Recursion::kFull, Recursion::kMerge}) {
      const CallStream stream = large_stream(1);
      std::size_t given_back = 0;
      test::PassedOnMemory memory(shadowstack::anonymous_memory(), [&] { ++given_back; });
      InlineTrees trees(kPlenty, eight_sites, memory, {.recursion = recursion});
      shadowstack::ThreadHeader* header = trees.attach(1, "the last");
      InlineProbe(trees, header).run(stream);
      if (!is_live) trees.detach(header);
      EXPECT_EQ(given_back, 0u);
      trees.close();
      EXPECT_GT(given_back, 8u);
      if (recursion == Recursion::kFull) {
        EXPECT_EQ(tree_text(trees.tree()), truth({stream}));
      } else {
        test::expect_merge_of({stream}, trees.tree());
      }
      EXPECT_EQ(trees.calls_seen(), stream.size());
      EXPECT_EQ(trees.calls_without_room(), 0u);
      ASSERT_EQ(trees.threads().size(), 1u);
      EXPECT_EQ(trees.threads()[0].calls, stream.size());
    }
  }
}

TEST(InlineTrees, HandOutTheMemoryOfAnEndedLargeTreeWhenAnotherGetsLarge) {
  InlineTrees trees(kPlenty, eight_sites);
  std::vector<CallStream> streams;
  std::uint64_t most = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    streams.push_back(large_stream(seed));
    play(trees, 1, streams.back());
    if (seed == 1) most = trees.memory_bytes();
    EXPECT_LT(trees.memory_bytes(), most + most / 2);
  }
  trees.close();
  EXPECT_EQ(tree_text(trees.tree()), truth(streams));
  EXPECT_EQ(trees.threads().size(), 3u);
}

TEST(InlineTrees, LoseNoCallWhenTheMasterEvictsContextsWhileALargeTreeIsAdded) {
  InlineTrees trees(std::uint64_t{10} << 20, eight_sites);
  std::uint64_t calls = 0;
  std::uint64_t evicted = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const CallStream stream = large_stream(seed);
    calls += stream.size();
    evicted = trees.snapshot()->tree->evicted().contexts;
    shadowstack::ThreadHeader* header = trees.attach(1, "");
    InlineProbe(trees, header).run(stream);
    if (seed != 5) trees.detach(header);
  }
  trees.close();
  EXPECT_GT(trees.tree().evicted().contexts, evicted);
  EXPECT_EQ(total_calls(trees.tree()) + trees.calls_without_room(), calls);
  EXPECT_EQ(trees.calls_seen(), calls);
}

// With little memory trees shrink on the way, and keep their group.
TEST(InlineTrees, HangTheCallsOfAThreadBelowItsGroup) {
  for (const std::uint64_t memory : {kPlenty, std::uint64_t{1} << 20}) {
    InlineTrees trees(memory, eight_sites);
    trees.group_threads([](std::string_view name) {
      return name == "alone" ? kNoMethod : MethodId{name == "first" ? 5001u : 5002u};
    });
    std::mt19937_64 random(8);
    std::vector<std::pair<std::string, std::uint64_t>> calls;
    for (const char* name : {"first", "second", "first", "alone"}) {
      const CallStream stream = test::random_stream(random, {.calls = 30000, .methods = 200});
      shadowstack::ThreadHeader* header = trees.attach(1, name);
      InlineProbe probe(trees, header);
      probe.run(stream);
      EXPECT_EQ(probe.frames_spoiled(), 0u);
      trees.detach(header);
      calls.emplace_back(name, stream.size());
    }
    trees.close();
    std::map<std::uint32_t, std::uint64_t> below;  // calls by the method below ROOT
    const ContextTree& tree = trees.tree();
    for (std::uint32_t node = 1; node < tree.node_count(); ++node) {
      std::uint32_t top = node;
      while (tree.node(NodeIndex{top}).parent != kRootNode)
        top = raw(tree.node(NodeIndex{top}).parent);
      const std::uint32_t method = raw(method_of(tree.node(NodeIndex{top}).key));
      below[method > 5000 ? method : 0] += tree.node(NodeIndex{node}).calls;
    }
    EXPECT_EQ(below[5001], calls[0].second + calls[2].second);
    EXPECT_EQ(below[5002], calls[1].second);
    EXPECT_EQ(below[0], calls[3].second);
    EXPECT_EQ(trees.threads().front().first_key, context_key(kNoSite, MethodId{5001}));
  }
}

TEST(InlineTrees, FindACalleeAmongThousandsInOneSlot) {
  std::mt19937_64 random(7);
  const CallStream stream =
      test::random_stream(random, {.calls = 60000, .methods = 3000, .sites = 1, .deepest = 2});
  InlineTrees trees(kPlenty, eight_sites);
  play(trees, 1, stream);
  trees.close();
  EXPECT_EQ(tree_text(trees.tree()), truth({stream}));
}

TEST(InlineTrees, SumWhatThreadsDidAtTheSameTime) {
  std::vector<CallStream> streams;
  std::mt19937_64 random(3);
  for (int i = 0; i < 4; ++i) streams.push_back(test::random_stream(random, {.calls = 20000}));
  InlineTrees trees(kPlenty, eight_sites);
  std::vector<std::thread> threads;
  for (const CallStream& stream : streams) {
    threads.emplace_back([&trees, &stream] { play(trees, 1, stream); });
  }
  for (std::thread& thread : threads) thread.join();
  trees.close();
  EXPECT_EQ(tree_text(trees.tree()), truth(streams));
  EXPECT_EQ(trees.threads().size(), streams.size());
}

TEST(InlineTrees, UseTheMemoryOfThreadsThatEndedAgain) {
  const CallStream stream = {call(0, 0, 1), call(1, 2, 2), call(2, 1, 3)};
  InlineTrees trees(kPlenty, eight_sites);
  for (int i = 0; i < 1000; ++i) play(trees, i, stream);
  EXPECT_EQ(trees.memory_bytes(), 0u);
  trees.close();
  EXPECT_EQ(trees.calls_seen(), 3000u);
  EXPECT_EQ(trees.tree().node_count(), 4u);
}

TEST(InlineTrees, TakeLittleForThreadsThatMakeAHandfulOfCalls) {
  constexpr int kThreads = 10'000;
  const CallStream stream = {call(0, 0, 1), call(1, 2, 2), call(2, 1, 3)};
  InlineTrees trees(kPlenty, eight_sites);
  std::vector<shadowstack::ThreadHeader*> headers;
  for (int i = 0; i < kThreads; ++i) {
    headers.push_back(trees.attach(i, ""));
    InlineProbe(trees, headers.back()).run(stream);
  }
  EXPECT_LE(trees.memory_bytes(), kThreads * std::uint64_t{512});
  for (shadowstack::ThreadHeader* header : headers) trees.detach(header);
  EXPECT_EQ(trees.memory_bytes(), 0u);
  trees.close();
  EXPECT_EQ(trees.calls_seen(), kThreads * 3u);
  ASSERT_EQ(trees.threads().size(), 1u);
  EXPECT_EQ(trees.threads()[0].calls, kThreads * 3u);
}

// Memory that tells how much of it is in use.
std::uint64_t resident_bytes(std::uint64_t start, std::uint64_t bytes) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t begin = start & ~(page - 1);
  std::vector<unsigned char> pages((start + bytes - begin + page - 1) / page);
  if (mincore(reinterpret_cast<void*>(begin), pages.size() * page, pages.data()) != 0) return 0;
  return page * static_cast<std::uint64_t>(
                    std::count_if(pages.begin(), pages.end(), [](auto each) { return each & 1; }));
}

TEST(InlineTrees, GiveTheirMemoryBackWhenTheRecordingEnds) {
  std::mt19937_64 random(11);
  const CallStream stream = test::random_stream(random, {.calls = 50'000, .methods = 500});
  InlineTrees trees(kPlenty, eight_sites);
  shadowstack::ThreadHeader* header = trees.attach(1, "alive");
  InlineProbe probe(trees, header);
  probe.run(stream);
  const std::uint64_t bytes = trees.memory_bytes();
  const std::uint64_t start = header->word;
  ASSERT_GE(resident_bytes(start, bytes), bytes / 2);
  trees.close();
  EXPECT_EQ(tree_text(trees.tree()), truth({stream}));
  EXPECT_EQ(trees.memory_bytes(), 0u);
  EXPECT_LE(resident_bytes(start, bytes), std::uint64_t{2} << 20);
  // Its probes go on, but their counts are not used.
  probe.run(stream);
  EXPECT_EQ(tree_text(trees.tree()), truth({stream}));
  EXPECT_EQ(trees.calls_seen(), stream.size());
  trees.detach(header);
}

TEST(InlineTrees, TurnIntoEmptySlotsUnderFramesThatLiveOn) {
  InlineTrees trees(kPlenty, eight_sites);
  shadowstack::ThreadHeader* header = trees.attach(1, "alive");
  InlineProbe probe(trees, header);
  const std::uint64_t outer = probe.enter(MethodId{1});
  probe.call(outer, SiteOrdinal{2});
  const std::uint64_t inner = probe.enter(MethodId{2});
  trees.close();
  probe.call(inner, SiteOrdinal{1});
  probe.exit(probe.enter(MethodId{3}));
  probe.restore(inner);
  probe.exit(inner);
  probe.restore(outer);
  probe.call(outer, SiteOrdinal{2});
  probe.exit(probe.enter(MethodId{2}));
  probe.restore(outer);
  probe.exit(outer);
  EXPECT_EQ(tree_text(trees.tree()), truth({{call(0, 0, 1), call(1, 2, 2)}}));
  EXPECT_EQ(trees.calls_seen(), 2u);
}

TEST(InlineTrees, KeepTheThreadTable) {
  InlineTrees trees(kPlenty, eight_sites);
  play(trees, 41, {call(0, 0, 5), call(1, 1, 6)});
  play(trees, 42, {});
  shadowstack::ThreadHeader* header = trees.attach(43, "first name");
  trees.rename(header, "second name");
  InlineProbe(trees, header).run(CallStream{call(0, 0, 7)});
  trees.close();
  const auto rows = trees.threads();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].runtime_id, 41);
  EXPECT_EQ(rows[0].calls, 2u);
  EXPECT_EQ(rows[0].first_key, context_key(kNoSite, MethodId{5}));
  EXPECT_EQ(rows[1].name, "second name");
}

TEST(InlineTrees, EvictContextsThatFindNoRoom) {
  std::mt19937_64 random(11);
  const CallStream stream = test::random_stream(random, {.calls = 50000, .methods = 300});
  InlineTrees trees(64 << 10, eight_sites);
  play(trees, 1, stream);
  trees.close();
  EXPECT_GT(trees.tree().evicted().contexts, 0u);
  EXPECT_EQ(trees.calls_without_room(), 0u);
  EXPECT_EQ(trees.calls_seen(), stream.size());
  EXPECT_EQ(total_calls(trees.tree()), stream.size());
  EXPECT_EQ(trees.threads().at(0).calls, stream.size());
}

TEST(InlineTrees, LetASmallTreePassTheBoundAndTheLargeOneShrink) {
  constexpr std::uint64_t kBound = 1 << 20;
  std::mt19937_64 random(12);
  const CallStream large = test::random_stream(random, {.calls = 20000, .methods = 300});
  InlineTrees trees(kBound, eight_sites);
  shadowstack::ThreadHeader* holder = trees.attach(1, "holder");
  InlineProbe(trees, holder).run(large);
  EXPECT_GT(trees.memory_bytes(), kBound / 8);
  shadowstack::ThreadHeader* other = trees.attach(2, "other");
  for (int i = 0; i < 20 && trees.tree().node_count() == 1; ++i) {
    InlineProbe(trees, other).run(test::random_stream(random, {.calls = 300, .methods = 100}));
    InlineProbe(trees, holder).run(test::random_stream(random, {.calls = 20, .methods = 300}));
  }
  EXPECT_GT(trees.tree().node_count(), 1u) << "the holder's contexts moved to the master";
  trees.close();
  EXPECT_EQ(total_calls(trees.tree()), trees.calls_seen());
  EXPECT_EQ(trees.calls_without_room(), 0u);
}

TEST(InlineTrees, LeaveOutWhatThreadsCallAfterTheEnd) {
  InlineTrees trees(kPlenty, eight_sites);
  shadowstack::ThreadHeader* header = trees.attach(1, "daemon");
  InlineProbe probe(trees, header);
  probe.run(CallStream{call(0, 0, 1), call(1, 1, 2)});
  trees.close();
  probe.run(CallStream{call(0, 0, 1), call(1, 1, 2), call(1, 1, 3)});
  shadowstack::ThreadHeader* late = trees.attach(2, "late");
  InlineProbe(trees, late).run(CallStream{call(0, 0, 9)});
  EXPECT_EQ(trees.calls_seen(), 2u);
  EXPECT_EQ(trees.tree().node_count(), 3u);
  trees.detach(header);
  trees.detach(late);
  EXPECT_EQ(trees.calls_seen(), 2u);
}

TEST(InlineTrees, SnapshotHasTheCallsOfThreadsThatEndedAndOfThoseThatLive) {
  std::mt19937_64 random(5);
  const CallStream ended = test::random_stream(random, {});
  const CallStream living = test::random_stream(random, {});
  InlineTrees trees(kPlenty, eight_sites);
  play(trees, 1, ended);
  shadowstack::ThreadHeader* header = trees.attach(2, "living");
  InlineProbe probe(trees, header);
  probe.run(living);
  const Result<RecordingSnapshot> so_far = trees.snapshot();
  ASSERT_TRUE(so_far.ok());
  EXPECT_EQ(tree_text(*so_far->tree), truth({ended, living}));
  EXPECT_EQ(so_far->calls_seen, ended.size() + living.size());
  EXPECT_EQ(so_far->calls_lost, 0u);
  ASSERT_EQ(so_far->threads.size(), 2u);
  EXPECT_EQ(so_far->threads[1].name, "living");
  EXPECT_EQ(so_far->threads[1].calls, living.size());

  probe.run(living);
  trees.detach(header);
  trees.close();
  EXPECT_EQ(tree_text(trees.tree()), truth({ended, living, living}));
  EXPECT_EQ(tree_text(*so_far->tree), truth({ended, living}));
}

TEST(InlineTrees, SnapshotEvictsWhatFindsNoRoom) {
  std::mt19937_64 random(11);
  const CallStream stream = test::random_stream(random, {.calls = 50000, .methods = 300});
  InlineTrees trees(64 << 10, eight_sites);
  play(trees, 1, stream);
  InlineProbe(trees, trees.attach(2, "living")).run(stream);
  const Result<RecordingSnapshot> so_far = trees.snapshot();
  ASSERT_TRUE(so_far.ok());
  EXPECT_GT(so_far->tree->evicted().calls, 0u);
  EXPECT_EQ(so_far->calls_lost, 0u);
  EXPECT_EQ(so_far->calls_seen, 2 * stream.size());
  EXPECT_EQ(total_calls(*so_far->tree), 2 * stream.size());
}

TEST(InlineTrees, SnapshotsAddUpAndNeverShrinkWhileThreadsCallComeAndGo) {
  constexpr int kLives = 20;
  std::vector<CallStream> streams;
  for (unsigned i = 0; i < 4; ++i) {
    std::mt19937_64 random(100 + i);
    streams.push_back(test::random_stream(random, {.calls = 4000}));
  }
  InlineTrees trees(kPlenty, eight_sites);
  std::atomic<unsigned> running{4};
  std::vector<std::thread> threads;
  for (const CallStream& stream : streams) {
    threads.emplace_back([&trees, &stream, &running] {
      for (int life = 0; life < kLives; ++life) play(trees, life, stream);
      running.fetch_sub(1);
    });
  }
  std::uint64_t before = 0;
  do {
    const Result<RecordingSnapshot> so_far = trees.snapshot();
    ASSERT_TRUE(so_far.ok());
    EXPECT_TRUE(check_invariants(*so_far->tree).ok());
    EXPECT_EQ(total_calls(*so_far->tree) + so_far->calls_lost, so_far->calls_seen);
    std::uint64_t of_threads = 0;
    for (const auto& row : so_far->threads) of_threads += row.calls;
    EXPECT_EQ(of_threads, so_far->calls_seen);
    EXPECT_GE(so_far->calls_seen, before);
    before = so_far->calls_seen;
  } while (running.load() != 0);
  for (std::thread& thread : threads) thread.join();
  trees.close();
  std::vector<CallStream> all;
  for (int life = 0; life < kLives; ++life) all.insert(all.end(), streams.begin(), streams.end());
  EXPECT_EQ(tree_text(trees.tree()), truth(all));
}

TEST(InlineTrees, TakeNoMemoryForThreadsThatGoOnAfterTheEnd) {
  std::mt19937_64 random(2);
  InlineTrees trees(kPlenty, eight_sites);
  std::vector<shadowstack::ThreadHeader*> headers;
  for (int i = 0; i < 20; ++i) headers.push_back(trees.attach(i, "goes on"));
  trees.close();
  const std::uint64_t before = trees.memory_bytes();
  for (shadowstack::ThreadHeader* header : headers) {
    InlineProbe(trees, header).run(test::random_stream(random, {.calls = 2000}));
  }
  EXPECT_EQ(trees.memory_bytes(), before);
  EXPECT_EQ(trees.calls_seen(), 0u);
}

TEST(InlineTrees, HangACallUnderRootWhenItsCallerIsNobodys) {
  InlineTrees trees(kPlenty, eight_sites);
  shadowstack::ThreadHeader* header = trees.attach(1, "main");
  const std::uint64_t unowned_site = header->unowned + kInlineSlots + 3 * sizeof(std::uint32_t);
  const std::uint64_t at = trees.place(header, unowned_site, MethodId{4});
  ++reinterpret_cast<InlineNode*>(at)->calls;
  trees.close();
  EXPECT_EQ(tree_text(trees.tree()), "0 4@0 1\n");
}

TEST(InlineTrees, GiveAMethodOfManyCallSitesANodeOfItsOwnSize) {
  const CallStream stream = {call(0, 0, 1), call(1, 65535, 2), call(1, 1, 2)};
  InlineTrees trees(kPlenty, [](MethodId method) { return raw(method) == 1 ? 65535u : 0u; });
  play(trees, 1, stream);
  trees.close();
  EXPECT_EQ(tree_text(trees.tree()), truth({stream}));
}

}  // namespace
}  // namespace copse::cct
