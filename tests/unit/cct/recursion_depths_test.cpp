#include "cct/recursion_depths.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cct/cct.h"
#include "cct/inplace/inline_trees.h"
#include "support/call_streams.h"
#include "support/inline_probe.h"

namespace copse::cct {
namespace {

using test::call;
using test::CallStream;
using test::InlineProbe;

using Depths = std::vector<std::uint32_t>;

// A chain of calls by letters, the outermost first.
void add_chain(Cct& tree, const std::string& chain) {
  std::uint32_t node = raw(kRootNode);
  for (const char letter : chain) {
    node = tree.child(node, context_key(kNoSite, MethodId{static_cast<std::uint32_t>(letter)}));
  }
  tree.add_calls(node, 1);
}

MethodId method(char letter) { return MethodId{static_cast<std::uint32_t>(letter)}; }

TEST(RecursionDepths, AreTheMostNodesOfAMethodOnOnePath) {
  MergedMethods merged;
  ASSERT_TRUE(merged.add(std::vector{method('a'), method('b'), method('c')}, 10));
  Cct tree;
  for (const char* chain : {"mabaxab", "mab", "maaa", "xxxxxbbb", "mxb"}) add_chain(tree, chain);
  RecursionDepths depths(merged);
  tree.add_to(depths);
  EXPECT_EQ(merged.told().depth_at_least, (Depths{3, 3, 0}));
}

// A caller with many callees has them in a table.
TEST(RecursionDepths, AreSeenBelowEveryCalleeOfACaller) {
  MergedMethods merged;
  ASSERT_TRUE(merged.add(std::vector{method('a')}, 10));
  Cct tree;
  for (char callee = 'b'; callee <= 'z'; ++callee) {
    add_chain(tree, std::string("a") + callee + std::string(callee == 'q' ? 6 : 1, 'a'));
  }
  RecursionDepths depths(merged);
  tree.add_to(depths);
  EXPECT_EQ(merged.told().depth_at_least, Depths{7});
}

TEST(RecursionDepths, OfSeveralTreesAreTheMost) {
  MergedMethods merged;
  ASSERT_TRUE(merged.add(std::vector{method('a'), method('b')}, 10));
  RecursionDepths depths(merged);
  for (const char* chain : {"aab", "aaaab", "bb"}) {
    Cct tree;
    add_chain(tree, chain);
    tree.add_to(depths);
  }
  EXPECT_EQ(merged.told().depth_at_least, (Depths{4, 2}));
  Cct shallow;
  add_chain(shallow, "ab");
  RecursionDepths later(merged);
  shallow.add_to(later);
  EXPECT_EQ(merged.told().depth_at_least, (Depths{4, 2}));
}

// Method 1 calls itself until `deep` calls are one below another.
CallStream recursion(unsigned deep) {
  CallStream stream;
  for (unsigned depth = 0; depth < deep; ++depth) stream.push_back(call(depth, 1, 1));
  return stream;
}

// Method 1 calls itself at each of eight sites, four deep: 585 contexts.
CallStream wide_recursion() {
  CallStream stream = {call(0, 0, 1)};
  for (unsigned i = 0; i < 8; ++i) {
    stream.push_back(call(1, i, 1));
    for (unsigned j = 0; j < 8; ++j) {
      stream.push_back(call(2, j, 1));
      for (unsigned k = 0; k < 8; ++k) stream.push_back(call(3, k, 1));
    }
  }
  return stream;
}

// Three threads: one that has ended, one that runs, and the one whose calls are too many.
TEST(RecursionDepths, OfThreadsAreTheMostOfThoseThatRanBeforeItWasMerged) {
  for (const std::size_t deepest : {0u, 1u, 2u}) {
    SCOPED_TRACE("thread " + std::to_string(deepest));
    std::vector<unsigned> deep = {30, 31, 32};
    deep[deepest] = 45;
    InlineTrees trees(std::uint64_t{1} << 30, [](MethodId) { return 8u; },
                      shadowstack::anonymous_memory(),
                      {.recursion = Recursion::kAuto, .look_at = 400});
    shadowstack::ThreadHeader* ended = trees.attach(1, "ended");
    InlineProbe(trees, ended).run(recursion(deep[0]));
    trees.detach(ended);
    InlineProbe(trees, trees.attach(2, "live")).run(recursion(deep[1]));
    InlineProbe last(trees, trees.attach(3, "last"));
    last.run(recursion(deep[2]));
    EXPECT_EQ(trees.tree().merged().times, 0u);
    last.run(wide_recursion());
    EXPECT_EQ(trees.tree().merged().times, 1u);
    last.run(recursion(200));  // too late to be seen
    const auto taken = trees.snapshot();
    ASSERT_TRUE(taken.ok());
    trees.close();
    const MergedRecursion told = trees.tree().merged();
    EXPECT_EQ(told.methods, std::vector{MethodId{1}});
    EXPECT_EQ(told.depth_at_least, Depths{45});
    EXPECT_EQ(taken->tree->merged().depth_at_least, told.depth_at_least);
  }
}

TEST(RecursionDepths, AreNotKnownWhereRecursionIsMergedFromTheStart) {
  InlineTrees trees(std::uint64_t{1} << 30, [](MethodId) { return 8u; },
                    shadowstack::anonymous_memory(), {.recursion = Recursion::kMerge});
  InlineProbe(trees, trees.attach(1, "main")).run(recursion(50));
  trees.close();
  EXPECT_TRUE(trees.tree().merged().all);
  EXPECT_TRUE(trees.tree().merged().depth_at_least.empty());
}

}  // namespace
}  // namespace copse::cct
