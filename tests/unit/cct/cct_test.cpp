#include "cct/cct.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <utility>

#include "cct/tree_check.h"
#include "support/reference_tree.h"
#include "support/scarce_memory.h"

namespace copse::cct {
namespace {

ContextKey key(unsigned method, unsigned site = 0) {
  return context_key(SiteOrdinal{static_cast<std::uint16_t>(site)}, MethodId{method});
}

std::uint32_t call(Cct& tree, std::uint32_t parent, ContextKey wanted) {
  Cct::Placer placer(tree);
  return placer.call(parent, wanted, placer.likely_child(parent, wanted));
}

TEST(Cct, BeginsWithRootAlone) {
  const Cct tree;
  EXPECT_EQ(tree.node_count(), 1u);
  EXPECT_TRUE(check_invariants(tree).ok());
}

TEST(Cct, FindsAChildAgainAndTellsSitesApart) {
  Cct tree;
  const std::uint32_t a = tree.child(0, key(5, 1));
  const std::uint32_t b = tree.child(0, key(5, 2));
  EXPECT_NE(a, b);
  EXPECT_EQ(tree.child(0, key(5, 1)), a);
  EXPECT_EQ(tree.child(0, key(5, 2)), b);
  EXPECT_EQ(tree.parent(tree.child(a, key(5, 1))), a);
  EXPECT_EQ(tree.find(0, key(5, 3)), 0u);
  EXPECT_EQ(tree.find(b, key(5, 1)), 0u);
}

TEST(Cct, HoldsTheLargestKey) {
  Cct tree;
  const std::uint32_t node = tree.child(0, kKeyMask);
  EXPECT_EQ(tree.key(node), kKeyMask);
  tree.add_calls(node, 1);
  EXPECT_EQ(tree.key(node), kKeyMask);
}

TEST(Cct, CountsPast32Bits) {
  Cct tree;
  const std::uint32_t node = tree.child(0, key(1));
  const std::uint32_t other = tree.child(0, key(2));
  tree.add_calls(node, 0xFFFF'FFFFu);
  EXPECT_EQ(call(tree, 0, key(1)), node);
  EXPECT_EQ(tree.calls(node), std::uint64_t{1} << 32);
  tree.add_calls(node, (std::uint64_t{1} << 49) - 1);
  EXPECT_EQ(tree.calls(node), (std::uint64_t{1} << 49) + (std::uint64_t{1} << 32) - 1);
  EXPECT_EQ(tree.child(0, key(1)), node) << "the table survived";
  EXPECT_EQ(tree.calls(other), 0u);
}

TEST(Cct, AgreesWithAMapWhateverTheShape) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    Cct tree;
    std::map<std::pair<std::uint32_t, ContextKey>, std::uint32_t> known;
    for (int i = 0; i < 50'000; ++i) {
      // Few wide nodes and many narrow ones.
      const auto parent =
          static_cast<std::uint32_t>(random() % 3 == 0 ? random() % std::min(tree.node_count(), 4u)
                                                       : random() % tree.node_count());
      const ContextKey wanted = key(1 + unsigned(random() % 3000), unsigned(random() % 4));
      const std::uint32_t node = tree.child(parent, wanted);
      const auto [entry, is_new] = known.emplace(std::pair(parent, wanted), node);
      ASSERT_EQ(entry->second, node);
      ASSERT_EQ(tree.find(parent, wanted), node);
      ASSERT_EQ(tree.node_count(), known.size() + 1) << (is_new ? "made" : "found");
    }
    const Status sound = check_invariants(tree);
    EXPECT_TRUE(sound.ok()) << sound.message();
  }
}

TEST(Cct, WideNodesStayCheapInMemory) {
  Cct tree;
  for (unsigned i = 1; i <= 200'000; ++i) tree.child(0, key(i));
  EXPECT_EQ(tree.node_count(), 200'001u);
  EXPECT_LT(tree.memory_bytes(), 200'000u * 45);
}

TEST(CctMerge, SumsCallsOfEqualPathsAndAddsTheRest) {
  Cct a;
  Cct b;
  a.add_calls(a.child(a.child(0, key(1)), key(2)), 10);
  b.add_calls(b.child(0, key(9)), 7);
  b.add_calls(b.child(b.child(0, key(1)), key(2)), 5);
  b.add_calls(b.child(b.child(0, key(1)), key(3)), 1);
  a.merge(b);
  EXPECT_EQ(test::tree_text(a), "0 1@0 0\n1 2@0 15\n1 3@0 1\n0 9@0 7\n");
  b.clear();
  EXPECT_EQ(b.node_count(), 1u);
  a.merge(b);
  EXPECT_EQ(a.node_count(), 5u);
}

TEST(CctClear, LeavesAUsableTree) {
  Cct tree;
  for (int round = 0; round < 3; ++round) {
    for (unsigned i = 1; i < 1000; ++i)
      tree.add_calls(tree.child(tree.child(0, key(i % 50 + 1)), key(i)), 1);
    EXPECT_EQ(total_calls(tree), 999u);
    EXPECT_TRUE(check_invariants(tree).ok());
    tree.clear();
    EXPECT_EQ(tree.find(0, key(1)), 0u);
  }
}

TEST(CctWithoutRoom, LosesCallsAndCountsThem) {
  Cct tree(shadowstack::anonymous_memory(), 3);
  const std::uint32_t a = tree.child(0, key(1));
  const std::uint32_t b = tree.child(a, key(2));
  const std::uint32_t lost = tree.child(a, key(3));
  EXPECT_EQ(lost, Cct::kOverflowNode);
  tree.add_calls(b, 2);
  tree.add_calls(lost, 5);
  EXPECT_EQ(call(tree, a, key(3)), lost);
  EXPECT_EQ(tree.calls_lost(), 6u);
  EXPECT_EQ(tree.child(a, key(2)), b) << "known contexts go on";
  EXPECT_EQ(total_calls(tree), 2u);
  EXPECT_TRUE(check_invariants(tree).ok());
}

TEST(CctWithoutRoom, KeepsWhatItHasWhenMemoryEnds) {
  test::ScarceMemory memory(4);
  Cct tree(memory);
  std::uint64_t added = 0;
  for (unsigned i = 1; i <= 100'000; ++i, ++added) {
    call(tree, tree.child(0, key(1 + i % 7)) % 5, key(i));
  }
  EXPECT_GT(tree.calls_lost(), 0u);
  EXPECT_EQ(total_calls(tree) + tree.calls_lost(), added);
  EXPECT_TRUE(check_invariants(tree).ok());
  Cct master;
  master.merge(tree);
  EXPECT_EQ(total_calls(master) + master.calls_lost(), added);
}

// Methods 1 and 2 call each other, and others in between: `calls` contexts, one call each.
void recurse(Cct& tree, unsigned calls) {
  std::uint32_t node = raw(kRootNode);
  for (unsigned i = 0; i < calls; ++i) {
    node = tree.callee(node, key(1 + i % 2, i % 3));
    tree.add_calls(node, 1);
    tree.add_calls(tree.callee(node, key(100 + i)), 1);
  }
}

TEST(CctWithoutRoom, StaysFullAndSaysSoWhenThereIsNoMemoryToMergeRecursion) {
  auto methods = std::make_shared<MergedMethods>();
  ASSERT_TRUE(methods->add(std::vector{MethodId{1}, MethodId{2}}, 2000));
  // None to begin with, and too little to come to the end: at least one step of each array is.
  for (const int commits : {0, 1, 2, 3}) {
    SCOPED_TRACE(std::to_string(commits) + " commits");
    Cct tree;
    recurse(tree, 10'000);
    EXPECT_FALSE(tree.merged().is_left_full);
    const std::string before = test::tree_text(tree);
    tree.merge_recursion_of(methods);
    test::ScarceMemory beside(commits);
    tree.merge_recursion(beside);
    EXPECT_TRUE(tree.merged().is_left_full);
    EXPECT_EQ(test::tree_text(tree), before);
    EXPECT_EQ(tree.calls_lost(), 0u);
    EXPECT_TRUE(tree.copy()->merged().is_left_full);
    recurse(tree, 1000);
    EXPECT_EQ(total_calls(tree), 22'000u);
    EXPECT_TRUE(check_invariants(tree).ok());
    // Another time there is.
    tree.merge_recursion();
    EXPECT_FALSE(tree.merged().is_left_full);
    EXPECT_EQ(total_calls(tree), 22'000u);
    EXPECT_TRUE(check_invariants(tree).ok());
    for (std::uint32_t i = 1; i < tree.node_count(); ++i) {
      for (std::uint32_t up = tree.parent(i); up != 0; up = tree.parent(up)) {
        EXPECT_NE(method_of(tree.key(up)), method_of(tree.key(i)));
      }
    }
  }
}

}  // namespace
}  // namespace copse::cct
