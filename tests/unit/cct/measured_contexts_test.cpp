#include "cct/measured_contexts.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <thread>
#include <vector>

#include "cct/inplace/inline_trees.h"
#include "support/call_streams.h"
#include "support/column_amounts.h"
#include "support/inline_probe.h"
#include "support/inlined_program.h"
#include "support/plenty.h"

namespace copse::cct {
namespace {

using test::CallStream;
using test::in_column;
using test::InlineProbe;
using test::kPlenty;
using Path = std::vector<ContextKey>;
using Amounts = std::map<Path, std::uint64_t>;

const ContextKey kOutside = context_key(kNoSite, MethodId{4000});

Path path_of(const ContextTree& tree, std::uint32_t node) {
  Path path;
  for (; node != 0; node = raw(tree.node(NodeIndex{node}).parent)) {
    path.insert(path.begin(), tree.node(NodeIndex{node}).key);
  }
  return path;
}

Amounts by_path(const ContextTree& tree, const MeasuredColumn& column) {
  Amounts amounts;
  for (std::uint32_t node = 0; node < column.amounts.size(); ++node) {
    if (column.amounts[node] != 0) amounts[path_of(tree, node)] += column.amounts[node];
  }
  return amounts;
}

std::uint64_t sum(const MeasuredColumn& column) {
  return std::accumulate(column.amounts.begin(), column.amounts.end(), column.lost);
}

constexpr std::array kNames = {MeasureName{"first", "events"}, MeasureName{"second", "ns", 1000}};

MeasuredThreads::Measuring measuring(std::size_t columns) {
  return {.columns = std::span(kNames).first(columns),
          .outside = kOutside,
          .is_leaf_of = [](auto...) { return false; }};
}

// Plays a stream, adds an amount after every call, and returns what each context was to get.
Amounts play_and_add(InlineTrees& trees, shadowstack::ThreadHeader* header,
                     const CallStream& stream, std::size_t column) {
  Amounts expected;
  Path path;
  std::size_t at = 0;
  InlineProbe(trees, header).run(stream, test::Leaving::kByReturns, [&] {
    const CallRecord record = stream[at];
    path.resize(depth_of(record));
    path.push_back(key_of(record));
    const std::uint64_t amount = ++at % 7;
    trees.add(*header, {header->word}, in_column(column, amount));
    if (amount != 0) expected[path] += amount;
  });
  return expected;
}

TEST(MeasuredContexts, HaveWhatWasAddedWhereTheThreadStood) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    InlineTrees trees(kPlenty, [](MethodId) { return 8u; });
    trees.measure(measuring(2));
    Amounts expected[2];
    for (std::size_t column : {0u, 1u}) {
      shadowstack::ThreadHeader* header = trees.attach(static_cast<std::int64_t>(column), "player");
      expected[column] = play_and_add(trees, header, test::random_stream(random, {}), column);
      trees.detach(header);
    }
    trees.close();
    const std::vector<MeasuredColumn> laid = trees.lay_measured();
    ASSERT_EQ(laid.size(), 2u);
    for (std::size_t column : {0u, 1u}) {
      EXPECT_EQ(by_path(trees.tree(), laid[column]), expected[column]);
      EXPECT_EQ(laid[column].lost, 0u);
      const std::vector<std::uint64_t> of_thread = trees.threads().at(column).amounts;
      ASSERT_EQ(of_thread.size(), column + 1);
      EXPECT_EQ(of_thread[column], sum(laid[column])) << "its thread's row has the sum";
    }
  }
}

class WordOfTree : public InlineProbe {
 public:
  WordOfTree(InlineTrees& trees, const shadowstack::ThreadHeader& header,
             shadowstack::ThreadHeader* probes)
      : InlineProbe(trees, probes), header_(header) {}
  std::uint64_t word() const { return header_.word; }

 private:
  const shadowstack::ThreadHeader& header_;
};

TEST(MeasuredContexts, AreThoseOfTheCodeThatRunsWhereTheWordLagsBehind) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    InlineTrees trees(kPlenty, [](MethodId) { return 8u; });
    trees.measure(measuring(1));
    shadowstack::ThreadHeader* header = trees.attach(1, "player");
    WordOfTree probe(trees, *header, header);
    Amounts expected;
    int corrected = 0;
    test::InlinedProgram(probe, seed)
        .run(2000, [&](std::uint64_t word, const shadowstack::CodePlace& code, const Path& path) {
          corrected += word != probe.word() ? 1 : 0;
          trees.add(*header, {word}, in_column(0, 1), kNoMethod, &code);
          ++expected[path];
        });
    EXPECT_GT(corrected, 1000);
    trees.close();
    const std::vector<MeasuredColumn> laid = trees.lay_measured();
    EXPECT_EQ(by_path(trees.tree(), laid[0]), expected);
  }
}

// The code's own method may be called by code that has no word, or after the tree was made smaller.
TEST(MeasuredContexts, StayAtTheWordIfTheCodesCallsWereNeverMadeThere) {
  InlineTrees trees(kPlenty, [](MethodId) { return 8u; });
  trees.measure(measuring(1));
  shadowstack::ThreadHeader* header = trees.attach(1, "player");
  InlineProbe probe(trees, header);
  const std::uint64_t frame = probe.enter(MethodId{1});
  probe.call(frame, SiteOrdinal{1});
  shadowstack::InlinedCalls code;
  const auto own = code.with_call(0, context_key(kNoSite, MethodId{2}));
  const shadowstack::CodePlace place{code,
                                     code.with_call(own, context_key(SiteOrdinal{9}, MethodId{3}))};
  trees.add(*header, {header->word}, in_column(0, 1), kNoMethod, &place);
  trees.add(*header, {0}, in_column(0, 10), kNoMethod, &place);
  probe.enter(MethodId{2});  // now it was, but not what it calls
  trees.add(*header, {header->word}, in_column(0, 100), kNoMethod, &place);
  trees.close();
  const std::vector<MeasuredColumn> laid = trees.lay_measured();
  const ContextKey one = context_key(kNoSite, MethodId{1});
  EXPECT_EQ(
      by_path(trees.tree(), laid[0]),
      (Amounts{
          {{one}, 1}, {{kOutside}, 10}, {{one, context_key(SiteOrdinal{1}, MethodId{2})}, 100}}));
}

// An exception that a handler in each of many frames throws again, and allocations in frames in any order.
TEST(MeasuredContexts, CostNoStepPerFrameDeepInTheStack) {
  constexpr std::uint32_t kDeep = 100'000;
  std::mt19937_64 random(4);
  InlineTrees trees(kPlenty, [](MethodId) { return 8u; });
  trees.measure(measuring(2));
  shadowstack::ThreadHeader* header = trees.attach(1, "player");
  InlineProbe probe(trees, header);
  const SiteOrdinal one{1};
  std::vector<std::uint64_t> words;
  for (std::uint32_t depth = 0; depth < kDeep; ++depth) {
    const std::uint64_t frame = probe.enter(MethodId{1});
    words.push_back(header->word);
    probe.call(frame, one);
  }
  for (std::uint32_t depth = kDeep; depth > 0; --depth) {
    trees.add(*header, {words[depth - 1]}, in_column(0, depth));
    trees.add(*header, {words[random() % kDeep]}, in_column(1, 1));
  }
  trees.close();
  const std::vector<MeasuredColumn> laid = trees.lay_measured();
  const ContextTree& tree = trees.tree();
  std::vector<std::uint32_t> depths(tree.node_count());
  for (std::uint32_t node = 1; node < tree.node_count(); ++node) {
    depths[node] = depths[raw(tree.node(NodeIndex{node}).parent)] + 1;
    ASSERT_EQ(laid[0].amounts[node], depths[node]);
  }
  EXPECT_EQ(sum(laid[1]), kDeep);
  EXPECT_EQ(laid[0].lost + laid[1].lost, 0u);
}

// The columns evict and the tree shrinks meanwhile.
TEST(MeasuredContexts, OfDeepStacksOutlastWhatIsKnownOfThem) {
  InlineTrees trees(4 << 20, [](MethodId) { return 8u; });
  trees.measure(measuring(1));
  shadowstack::ThreadHeader* header = trees.attach(1, "player");
  InlineProbe probe(trees, header);
  const SiteOrdinal one{1};
  std::uint64_t added = 0;
  for (std::uint32_t round = 1; round <= 4; ++round) {
    std::vector<std::uint64_t> frames;
    for (std::uint32_t depth = 0; depth < 2000; ++depth) {
      if (!frames.empty()) probe.call(frames.back(), one);
      frames.push_back(probe.enter(MethodId{round * 50 + depth % 47}));
      trees.add(*header, {header->word}, in_column(0, 1));
    }
    for (; !frames.empty(); frames.pop_back()) {
      trees.add(*header, {header->word}, in_column(0, 2));
      probe.exit(frames.back());
    }
    added += 3 * 2000;
  }
  trees.detach(header);
  trees.close();
  EXPECT_EQ(sum(trees.lay_measured().front()), added);
}

TEST(MeasuredContexts, OutlastTheNodesOfATreeThatShrinks) {
  std::mt19937_64 random(5);
  const CallStream stream = test::random_stream(random, {.calls = 60000, .methods = 400});
  InlineTrees trees(1 << 20, [](MethodId) { return 8u; });
  trees.measure(measuring(1));
  shadowstack::ThreadHeader* header = trees.attach(1, "player");
  const Amounts expected = play_and_add(trees, header, stream, 0);
  trees.detach(header);
  trees.close();
  const MeasuredColumn laid = trees.lay_measured().front();
  std::uint64_t all = 0;
  for (const auto& [path, amount] : expected) all += amount;
  EXPECT_EQ(sum(laid), all) << "whatever was evicted";
}

TEST(MeasuredContexts, OfASnapshotAreThoseSoFar) {
  std::mt19937_64 random(6);
  InlineTrees trees(kPlenty, [](MethodId) { return 8u; });
  trees.measure(measuring(1));
  shadowstack::ThreadHeader* header = trees.attach(1, "player");
  const Amounts expected = play_and_add(trees, header, test::random_stream(random, {}), 0);
  const Result<RecordingSnapshot> so_far = trees.snapshot();
  ASSERT_TRUE(so_far.ok());
  EXPECT_EQ(by_path(*so_far->tree, so_far->measured.front()), expected);
  trees.add(*header, {header->word}, in_column(0, 5));
  trees.close();
  EXPECT_EQ(sum(trees.lay_measured().front()), sum(so_far->measured.front()) + 5);
}

// Trees shrink, and are read, while others add.
TEST(MeasuredContexts, AreAddedByManyThreadsAtOnce) {
  InlineTrees trees(4 << 20, [](MethodId) { return 8u; });
  trees.measure(measuring(1));
  constexpr int kThreads = 4;
  std::atomic<int> running{kThreads};
  std::array<std::uint64_t, kThreads> added{};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937_64 random(static_cast<std::uint64_t>(t));
      for (int life = 0; life < 5; ++life) {
        const CallStream stream = test::random_stream(random, {.calls = 4000, .methods = 300});
        shadowstack::ThreadHeader* header = trees.attach(t, "player");
        for (const auto& [path, amount] : play_and_add(trees, header, stream, 0)) {
          added[static_cast<std::size_t>(t)] += amount;
        }
        trees.detach(header);
      }
      --running;
    });
  }
  std::uint64_t before = 0;
  while (running > 0) {
    const Result<RecordingSnapshot> so_far = trees.snapshot();
    ASSERT_TRUE(so_far.ok());
    const std::uint64_t now = sum(so_far->measured.front());
    EXPECT_GE(now, before);
    before = now;
  }
  for (std::thread& thread : threads) thread.join();
  trees.close();
  EXPECT_EQ(sum(trees.lay_measured().front()),
            std::accumulate(added.begin(), added.end(), std::uint64_t{0}));
}

TEST(MeasuredContexts, AreOutsideBeforeAThreadsFirstCallAndWithAWordOfNoThread) {
  InlineTrees trees(kPlenty, [](MethodId) { return 8u; });
  trees.measure(measuring(1));
  shadowstack::ThreadHeader* header = trees.attach(1, "player");
  trees.add(*header, {header->word}, in_column(0, 1));
  for (const std::uint64_t word :
       {std::uint64_t{0}, std::uint64_t{0x100000}, trees.node_base(), ~std::uint64_t{0}}) {
    trees.add(*header, {word}, in_column(0, 1));
  }
  trees.close();
  trees.add(*header, {header->word}, in_column(0, 1));  // too late
  EXPECT_EQ(by_path(trees.tree(), trees.lay_measured().front()), (Amounts{{Path{kOutside}, 5}}));
}

TEST(MeasuredContexts, HaveALeafThatItsCallersSiteCallsAndNoOther) {
  InlineTrees trees(kPlenty, [](MethodId) { return 8u; });
  const MethodId caller{1}, leaf{2}, busier_leaf{3}, called_back{4};
  trees.measure({.columns = std::span(kNames).first(1),
                 .outside = kOutside,
                 .is_leaf_of = [&](MethodId above, SiteOrdinal site, MethodId callee) {
                   return above == caller && site != kNoSite && callee != called_back;
                 }});
  shadowstack::ThreadHeader* header = trees.attach(1, "player");
  InlineProbe probe(trees, header);
  const std::uint64_t frame = probe.enter(caller);
  const auto calls_leaf = [&](SiteOrdinal site, MethodId method) {
    probe.call(frame, site);
    probe.exit(probe.enter(method));  // as a leaf's probe leaves the word
  };
  const SiteOrdinal one{1}, two{2}, three{3};
  calls_leaf(one, leaf);
  trees.add(*header, {header->word}, in_column(0, 1));
  calls_leaf(one, busier_leaf);
  calls_leaf(one, busier_leaf);
  trees.add(*header, {header->word}, in_column(0, 10));
  calls_leaf(two, called_back);
  trees.add(*header, {header->word}, in_column(0, 100));
  probe.call(frame, three);
  trees.add(*header, {header->word}, in_column(0, 1000));
  probe.restore(frame);
  trees.add(*header, {header->word}, in_column(0, 10000));
  trees.close();
  const ContextKey entry = context_key(kNoSite, caller);
  EXPECT_EQ(by_path(trees.tree(), trees.lay_measured().front()),
            (Amounts{{{entry}, 11100},
                     {{entry, context_key(one, leaf)}, 1},
                     {{entry, context_key(one, busier_leaf)}, 10}}));
}

TEST(MeasuredContexts, CountWhatAnEventIsAboutAsItsContextsCallee) {
  InlineTrees trees(kPlenty, [](MethodId) { return 8u; });
  trees.measure(measuring(1));
  shadowstack::ThreadHeader* header = trees.attach(1, "player");
  const MethodId caller{1}, object{2};
  trees.add(*header, {header->word}, in_column(0, 1), object);
  InlineProbe probe(trees, header);
  probe.enter(caller);
  trees.add(*header, {header->word}, in_column(0, 10), object);
  trees.add(*header, {header->word}, in_column(0, 100));
  trees.measured().add_below(Path{context_key(kNoSite, caller)}, in_column(0, 1000), object);
  trees.measured().add_below(Path{}, in_column(0, 10000), object);
  trees.close();
  const ContextKey entry = context_key(kNoSite, caller), about = context_key(kNoSite, object);
  EXPECT_EQ(by_path(trees.tree(), trees.lay_measured().front()),
            (Amounts{{{kOutside, about}, 10001}, {{entry, about}, 1010}, {{entry}, 100}}));
}

TEST(MeasuredContexts, EvictWhatHasLeastAndKeepTheSum) {
  Cct tree;
  MeasuredContexts contexts({kNames.data(), 1}, kOutside, 100, nullptr,
                            shadowstack::anonymous_memory());
  for (unsigned i = 1; i <= 1000; ++i) {
    const Path path = {context_key(kNoSite, MethodId{1}), context_key(kNoSite, MethodId{i + 1})};
    contexts.add(0, path, i == 500 ? 1'000'000 : 1);
  }
  const MeasuredColumn laid = contexts.lay_on(tree).front();
  EXPECT_EQ(sum(laid), 1'000'999u);
  Amounts amounts = by_path(tree, laid);
  EXPECT_EQ((amounts[{context_key(kNoSite, MethodId{1}), context_key(kNoSite, MethodId{501})}]),
            1'000'000u);
  EXPECT_GT((amounts[{context_key(kNoSite, MethodId{1}), kEvictedKey}]), 800u);
  EXPECT_LE(tree.node_count(), 110u);
}

}  // namespace
}  // namespace copse::cct
