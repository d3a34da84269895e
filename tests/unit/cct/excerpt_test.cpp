#include "cct/inplace/excerpt.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cct/inplace/inline_trees.h"
#include "cct/tree_check.h"
#include "support/call_streams.h"
#include "support/excerpt_player.h"
#include "support/inline_probe.h"
#include "support/plenty.h"
#include "support/reference_tree.h"

namespace copse::cct {
namespace {

using test::CallStream;
using test::ExcerptPlayer;
using test::ExcerptTree;
using test::InlineProbe;
using test::kPlenty;
using test::ReferenceTree;
using test::tree_text;
using Whose = InlineTrees::Whose;

std::uint32_t eight_call_sites(MethodId) { return 8; }

std::string truth_of(const std::vector<CallStream>& streams) {
  ReferenceTree tree;
  for (const CallStream& stream : streams) tree.add(stream);
  return tree.text();
}

std::uint64_t calls_in(const Excerpt& excerpt) {
  return std::accumulate(
      excerpt.nodes.begin(), excerpt.nodes.end(), std::uint64_t{0},
      [](std::uint64_t sum, const ContextNode& node) { return sum + node.calls; });
}

// Nothing of another thread, nothing from before.
ExcerptPlayer::Told is_right() {
  return [](const std::optional<Excerpt>& excerpt, const CallStream& called) {
    ASSERT_TRUE(excerpt.has_value());
    EXPECT_TRUE(excerpt->is_whole);
    EXPECT_EQ(excerpt->calls_lost, 0u);
    ASSERT_EQ(tree_text(ExcerptTree(*excerpt)), truth_of({called}));
  };
}

TEST(Excerpts, HaveTheCallsOfTheirTimeAndLeaveTheTreeAsItIsWithoutThem) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    InlineTrees trees(kPlenty, eight_call_sites);
    shadowstack::ThreadHeader* header = trees.attach(1, "tests");
    ExcerptPlayer player(trees, header, seed, {.calls = 5000});
    player.run(is_right());
    EXPECT_GT(player.excerpts(), 10u);
    if (seed % 2 == 0) trees.detach(header);
    trees.close();
    EXPECT_EQ(tree_text(trees.tree()), truth_of({player.stream()}));
    EXPECT_EQ(trees.calls_seen(), player.stream().size());
    EXPECT_EQ(trees.calls_without_room(), 0u);
    ASSERT_EQ(trees.threads().size(), 1u);
    EXPECT_EQ(trees.threads()[0].calls, player.stream().size());
    EXPECT_EQ(trees.threads()[0].first_key, key_of(player.stream().front()));
  }
}

// Trees shrink on the way, in excerpts too; the master evicts contexts, and excerpts do not.
TEST(Excerpts, AreExactWhereTreesFindNoRoom) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    InlineTrees trees(std::uint64_t{1} << 20, eight_call_sites);
    shadowstack::ThreadHeader* header = trees.attach(1, "tests");
    ExcerptPlayer player(trees, header, seed,
                         {.calls = 50'000, .methods = 300, .excerpt_chance = 0.0005});
    player.run(is_right());
    EXPECT_GT(player.excerpts(), 5u);
    trees.detach(header);
    trees.close();
    EXPECT_EQ(trees.calls_seen(), player.stream().size());
    EXPECT_EQ(total_calls(trees.tree()) + trees.calls_without_room(), trees.calls_seen());
    EXPECT_GT(trees.tree().evicted().calls, 0u) << "or there was room";
  }
}

// Every method's calls, and none twice on a path. Which contexts become one is not that of a tree
// without excerpts: recursion is merged inside an excerpt first.
void expect_merged(const ContextTree& tree, const CallStream& stream) {
  std::map<MethodId, std::uint64_t> left;
  for (const CallRecord record : stream) ++left[method_of(record)];
  for (std::uint32_t i = 1; i < tree.node_count(); ++i) {
    const ContextNode node = tree.node(NodeIndex{i});
    left[method_of(node.key)] -= node.calls;
    for (NodeIndex up = node.parent; up != kRootNode; up = tree.node(up).parent) {
      ASSERT_NE(method_of(tree.node(up).key), method_of(node.key));
    }
  }
  for (const auto& [method, calls] : left) EXPECT_EQ(calls, 0u) << raw(method);
}

TEST(Excerpts, MergeTheRecursionInsideThem) {
  const ExcerptPlayer::Told told = [](const std::optional<Excerpt>& excerpt,
                                      const CallStream& called) {
    ASSERT_TRUE(excerpt.has_value());
    expect_merged(ExcerptTree(*excerpt), called);
  };
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    InlineTrees trees(kPlenty, eight_call_sites, shadowstack::anonymous_memory(),
                      {.recursion = Recursion::kMerge});
    ExcerptPlayer player(trees, trees.attach(1, "tests"), seed, {.calls = 8000, .methods = 8});
    player.run(told);
    EXPECT_GT(player.excerpts(), 10u);
    trees.close();
    expect_merged(trees.tree(), player.stream());
    EXPECT_EQ(trees.calls_seen(), player.stream().size());
  }
}

TEST(Excerpts, SayWhereTheirRecursionIsMerged) {
  InlineTrees trees(kPlenty, eight_call_sites, shadowstack::anonymous_memory(),
                    {.recursion = Recursion::kMerge});
  shadowstack::ThreadHeader* header = trees.attach(1, "tests");
  InlineProbe probe(trees, header);
  for (const unsigned callee : {1u, 2u}) {
    const std::uint64_t word = header->word;
    const std::uint64_t slot = InlineTrees::begin_excerpt(header, word, Whose::kOwnCalls);
    header->word = slot;
    probe.run(CallStream{test::call(0, 0, 1), test::call(1, 1, callee)});
    header->word = word;
    EXPECT_EQ(InlineTrees::end_excerpt(header, slot)->is_merged, callee == 1);
  }
}

TEST(Excerpts, AreInSnapshotsWhileTheyLast) {
  InlineTrees trees(kPlenty, eight_call_sites);
  shadowstack::ThreadHeader* header = trees.attach(1, "tests");
  ExcerptPlayer player(trees, header, 5, {.calls = 1500});
  const ExcerptPlayer::Told looks = [&](const std::optional<Excerpt>&, const CallStream&) {
    const Result<RecordingSnapshot> so_far = trees.snapshot();
    ASSERT_TRUE(so_far.ok());
    EXPECT_EQ(tree_text(*so_far->tree), truth_of({player.stream()}));
    EXPECT_EQ(so_far->calls_seen, player.stream().size());
  };
  player.in_excerpt(0, is_right(), [&] { player.run(looks); });
  EXPECT_GT(player.excerpts(), 10u);
}

TEST(Excerpts, HangBelowTheGroupOfTheirThread) {
  InlineTrees trees(kPlenty, eight_call_sites);
  trees.group_threads([](std::string_view) { return MethodId{5001}; });
  shadowstack::ThreadHeader* header = trees.attach(1, "tests");
  ExcerptPlayer player(trees, header, 6, {.calls = 500});
  player.in_excerpt(0, is_right(), [&] { player.run(is_right()); });
  trees.detach(header);
  trees.close();
  CallStream whole = {test::call(0, 0, 5001)};
  for (const CallRecord record : player.stream()) whole.push_back(record + kDepthOne);
  std::string expected = truth_of({whole});
  expected.replace(0, expected.find('\n'), "0 5001@0 0");
  EXPECT_EQ(tree_text(trees.tree()), expected);
  EXPECT_EQ(trees.threads()[0].first_key, context_key(kNoSite, MethodId{5001}));
}

TEST(Excerpts, ThatAreOpenWhenRecordingEndsArePartOfItAndHaveNoEnd) {
  for (const bool thread_ends : {false, true}) {
    InlineTrees trees(kPlenty, eight_call_sites);
    shadowstack::ThreadHeader* header = trees.attach(1, "tests");
    InlineProbe probe(trees, header);
    const std::uint64_t word = header->word;
    const std::uint64_t slot = InlineTrees::begin_excerpt(header, word, Whose::kOwnCalls);
    header->word = slot;
    const CallStream stream = {test::call(0, 0, 3), test::call(1, 2, 4)};
    probe.run(stream);
    if (thread_ends) trees.detach(header);
    trees.close();
    EXPECT_EQ(tree_text(trees.tree()), truth_of({stream}));
    EXPECT_EQ(trees.calls_seen(), 2u);
    EXPECT_FALSE(InlineTrees::end_excerpt(header, slot).has_value());
    if (thread_ends) continue;
    EXPECT_EQ(InlineTrees::begin_excerpt(header, word, Whose::kOwnCalls), 0u);
    header->word = word;
    probe.run(stream);
    EXPECT_EQ(trees.calls_seen(), 2u);
  }
}

// A stack overflow kept the end of some from happening. What the thread calls next is found by the
// next excerpt, and by a tree that shrinks.
TEST(Excerpts, ThatAreLeftOpenEndWithTheOneAroundThemOrWhenTheNextBegins) {
  for (const std::uint64_t memory : {kPlenty, std::uint64_t{1} << 20}) {
    for (const bool in_another : {false, true}) {
      InlineTrees trees(memory, eight_call_sites);
      shadowstack::ThreadHeader* header = trees.attach(1, "tests");
      InlineProbe probe(trees, header);
      const auto begin = [&](Whose whose) {
        const std::uint64_t slot = InlineTrees::begin_excerpt(header, header->word, whose);
        header->word = slot;
        return slot;
      };
      std::mt19937_64 random(9);
      const CallStream first = {test::call(0, 0, 3), test::call(1, 2, 4)};
      const CallStream second = test::random_stream(random, {.calls = 20'000, .methods = 300});
      const std::uint64_t frame = probe.enter(MethodId{1});
      probe.call(frame, SiteOrdinal{1});
      const std::uint64_t word = header->word;
      const std::uint64_t around = in_another ? begin(Whose::kOwnCalls) : 0;
      const std::uint64_t before = header->word;
      begin(Whose::kAllThreads);
      begin(Whose::kOwnCalls);
      probe.run(first);
      header->word = before;  // by a frame that caught the error
      probe.run(second);
      const std::uint64_t next = begin(Whose::kOwnCalls);
      probe.run(first);
      header->word = before;
      EXPECT_EQ(tree_text(ExcerptTree(*InlineTrees::end_excerpt(header, next))), truth_of({first}));
      EXPECT_FALSE(InlineTrees::end_excerpt(header, next).has_value());
      if (in_another) {
        header->word = word;
        EXPECT_EQ(tree_text(ExcerptTree(*InlineTrees::end_excerpt(header, around))),
                  truth_of({first, second, first}));
      }
      probe.restore(frame);
      probe.exit(frame);
      trees.close();
      EXPECT_EQ(trees.calls_seen(), 1 + 2 * first.size() + second.size());
      EXPECT_EQ(total_calls(trees.tree()) + trees.calls_without_room(), trees.calls_seen());
      if (memory == kPlenty) {
        CallStream whole = {test::call(0, 0, 1)};
        for (const CallStream& stream : {first, second, first}) {
          for (const CallRecord record : stream) {
            const SiteOrdinal site = depth_of(record) == 0 ? SiteOrdinal{1} : site_of(record);
            whole.push_back(call_record(depth_of(record) + 1, site, method_of(record)));
          }
        }
        EXPECT_EQ(tree_text(trees.tree()), truth_of({whole}));
      }
    }
  }
}

TEST(Excerpts, AreRefusedWhereFramesMayComeBack) {
  InlineTrees trees(kPlenty, eight_call_sites);
  shadowstack::ThreadHeader* header = trees.attach(1, "tests");
  trees.keep_all_nodes();
  EXPECT_EQ(InlineTrees::begin_excerpt(header, header->word, Whose::kOwnCalls),
            InlineTrees::kResumesFrames);
}

// Others' calls before and after it are not in it: those of threads that live on, begin in it, or
// end in it, and those that leave their tree for lack of room.
TEST(Excerpts, OfAllThreadsHaveWhatTheOthersCalledMeanwhile) {
  for (const std::uint64_t memory : {kPlenty, std::uint64_t{1} << 20}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      std::mt19937_64 random(seed);
      InlineTrees trees(memory, eight_call_sites);
      const auto some = [&](std::size_t calls) {
        return test::random_stream(random, {.calls = calls, .methods = 100});
      };
      const auto play = [&](shadowstack::ThreadHeader* header, const CallStream& stream) {
        InlineProbe(trees, header).run(stream);
      };
      shadowstack::ThreadHeader* header = trees.attach(1, "tests");
      shadowstack::ThreadHeader* lives = trees.attach(2, "lives");
      shadowstack::ThreadHeader* ends = trees.attach(3, "ends");
      const CallStream before = some(8000);
      play(lives, before);
      play(ends, before);
      ExcerptPlayer player(trees, header, seed, {.calls = 2000});
      std::vector<CallStream> during = {some(3000), some(6000), some(300), some(300)};
      const ExcerptPlayer::Told told = [&](const std::optional<Excerpt>& excerpt,
                                           const CallStream& called) {
        ASSERT_TRUE(excerpt.has_value());
        EXPECT_TRUE(excerpt->is_whole);
        std::vector<CallStream> all = during;
        all.push_back(called);
        ReferenceTree sum;
        for (const CallStream& stream : all) sum.add(stream);
        // The thread's own contexts and those of others are side by side.
        Cct merged;
        std::vector<std::uint32_t> at(excerpt->nodes.size());
        for (std::size_t i = 1; i < at.size(); ++i) {
          const ContextNode& node = excerpt->nodes[i];
          at[i] = merged.child(at[raw(node.parent)], node.key);
          merged.add_calls(at[i], node.calls);
        }
        EXPECT_EQ(tree_text(merged), sum.text());
      };
      player.in_excerpt(
          0, told,
          [&] {
            play(lives, during[0]);
            player.run(is_right());
            play(ends, during[1]);
            trees.detach(ends);
            shadowstack::ThreadHeader* begins = trees.attach(4, "begins");
            // Excerpts of others, one of all threads too, are in it like all that they call.
            const std::uint64_t word = begins->word;
            const std::uint64_t slot = InlineTrees::begin_excerpt(begins, word, Whose::kAllThreads);
            begins->word = slot;
            play(begins, during[2]);
            begins->word = word;
            EXPECT_EQ(calls_in(*InlineTrees::end_excerpt(begins, slot)), during[2].size());
            play(begins, during[3]);
          },
          Whose::kAllThreads);
      play(lives, before);
      trees.close();
      std::uint64_t seen = 3 * before.size() + player.stream().size();
      for (const CallStream& stream : during) seen += stream.size();
      EXPECT_EQ(trees.calls_seen(), seen);
      EXPECT_EQ(total_calls(trees.tree()) + trees.calls_without_room(), seen);
    }
  }
}

TEST(Excerpts, OfATestLeaveOutWhatOtherThreadsCallInTests) {
  for (const std::uint64_t memory : {kPlenty, std::uint64_t{1} << 20}) {
    for (const bool thread_ends : {false, true}) {
      std::mt19937_64 random(7);
      InlineTrees trees(memory, eight_call_sites);
      shadowstack::ThreadHeader* header = trees.attach(1, "test");
      shadowstack::ThreadHeader* other = trees.attach(2, "another test");
      const auto some = [&] {
        return test::random_stream(random, {.calls = 3000, .methods = 100});
      };
      const auto play = [&](const CallStream& stream) { InlineProbe(trees, other).run(stream); };
      const auto begin = [&](Whose whose) {
        return other->word = InlineTrees::begin_excerpt(other, other->word, whose);
      };
      const CallStream stream = some();
      const std::vector<CallStream> outside = {some(), some(), some()};
      play(some());
      const std::uint64_t word = header->word;
      const std::uint64_t slot = InlineTrees::begin_excerpt(header, word, Whose::kTest);
      header->word = slot;
      InlineProbe(trees, header).run(stream);
      play(outside[0]);
      const std::uint64_t theirs = other->word;
      const std::uint64_t around = begin(Whose::kOwnCalls);
      play(outside[1]);
      const std::uint64_t test = begin(Whose::kTest);
      play(some());
      const std::uint64_t inside = begin(Whose::kOwnCalls);
      play(some());
      other->word = test;
      ASSERT_TRUE(InlineTrees::end_excerpt(other, inside).has_value());
      play(some());
      if (thread_ends) {
        trees.detach(other);
        other = trees.attach(3, "a pool");
      } else {
        other->word = around;
        ASSERT_TRUE(InlineTrees::end_excerpt(other, test).has_value());
        other->word = theirs;
        ASSERT_TRUE(InlineTrees::end_excerpt(other, around).has_value());
      }
      play(outside[2]);
      header->word = word;
      const std::optional<Excerpt> excerpt = InlineTrees::end_excerpt(header, slot);
      ASSERT_TRUE(excerpt.has_value());
      Excerpt own = *excerpt;
      own.nodes.resize(excerpt->own_nodes);
      EXPECT_EQ(tree_text(ExcerptTree(own)), truth_of({stream}));
      Cct rest;
      std::vector<std::uint32_t> at(excerpt->nodes.size());
      for (std::size_t i = excerpt->own_nodes; i < at.size(); ++i) {
        const ContextNode& node = excerpt->nodes[i];
        at[i] = rest.child(at[raw(node.parent)], node.key);
        rest.add_calls(at[i], node.calls);
      }
      EXPECT_EQ(tree_text(rest), truth_of(outside));
    }
  }
}

TEST(Excerpts, OfManyThreadsAtOnceLoseNothing) {
  InlineTrees trees(std::uint64_t{4} << 20, eight_call_sites);
  std::atomic<std::uint64_t> calls{0};
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t round = 0; round < 5; ++round) {
        shadowstack::ThreadHeader* header = trees.attach(static_cast<std::int64_t>(t), "t");
        ExcerptPlayer player(trees, header, 10 * t + round, {.calls = 4000});
        std::uint64_t in_it = 0;
        const ExcerptPlayer::Told counts = [&](const std::optional<Excerpt>& excerpt,
                                               const CallStream& called) {
          ASSERT_TRUE(excerpt.has_value());
          in_it = calls_in(*excerpt);
          EXPECT_GE(in_it, called.size());
        };
        player.in_excerpt(
            0, counts, [&] { player.run(is_right()); },
            t == 0 ? Whose::kAllThreads : Whose::kOwnCalls);
        if (t != 0) {
          EXPECT_EQ(in_it, player.stream().size());
        }
        calls += player.stream().size();
        if (round % 2 == 0) trees.detach(header);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  trees.close();
  EXPECT_EQ(trees.calls_seen(), calls.load());
  EXPECT_EQ(total_calls(trees.tree()) + trees.calls_without_room(), calls.load());
}

}  // namespace
}  // namespace copse::cct
