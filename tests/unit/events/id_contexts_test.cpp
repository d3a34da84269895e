#include "encoders/events/id_contexts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace copse::events {
namespace {

constexpr std::uint32_t kFull = 0xFFFF'FFFF;

// A tree whose nodes are found by parent and key.
struct Tree {
  std::uint32_t child(std::uint32_t parent, ContextKey key) {
    const auto next = static_cast<std::uint32_t>(nodes.size() + 1);
    if (next > most && !nodes.contains({parent, key})) return kFull;
    return nodes.try_emplace({parent, key}, next).first->second;
  }
  std::map<std::pair<std::uint32_t, ContextKey>, std::uint32_t> nodes;
  std::uint32_t most = kFull - 1;
};

// Contexts of one recursion through two methods: number n is n calls deep, and 0 is ROOT.
struct Recursion {
  IdSteps steps() {
    return {.last_call = [this](std::uint64_t number) -> std::optional<IdSteps::LastCall> {
              ++steps_taken;
              if (number == 0 || number > depth) return std::nullopt;
              const MethodId caller{static_cast<std::uint32_t>(number == 1 ? 0 : 1 + number % 2)};
              const MethodId callee{static_cast<std::uint32_t>(1 + (number + 1) % 2)};
              return IdSteps::LastCall{edge_key({caller, SiteOrdinal{1}}, callee), number - 1};
            },
            .is_root = [](std::uint64_t number) { return number == 0; }};
  }
  std::uint64_t depth;
  std::uint64_t steps_taken = 0;
};

std::optional<std::uint32_t> node_of(IdContexts& contexts, Recursion& recursion, Tree& tree,
                                     std::uint64_t number) {
  return contexts.node_of(
      number, recursion.steps(), kFull,
      [&](std::uint32_t parent, ContextKey key) { return tree.child(parent, key); });
}

TEST(IdContexts, ArePathsOfTheTree) {
  IdContexts contexts;
  Recursion recursion{.depth = 20};
  Tree tree;
  EXPECT_EQ(node_of(contexts, recursion, tree, 0), IdContexts::kRoot);
  EXPECT_EQ(node_of(contexts, recursion, tree, 3), 3u);
  EXPECT_EQ(node_of(contexts, recursion, tree, 2), 2u);
  EXPECT_EQ(node_of(contexts, recursion, tree, 20), 20u);
  EXPECT_EQ(tree.nodes.size(), 20u);
  EXPECT_EQ(node_of(contexts, recursion, tree, 21), std::nullopt);
}

TEST(IdContexts, OfADeepRecursionTakeSomeStepsEach) {
  constexpr std::uint64_t kDepth = 30'000;
  std::mt19937_64 random(testing::UnitTest::GetInstance()->random_seed());
  for (const bool deepest_first : {true, false}) {
    IdContexts contexts;
    Recursion recursion{.depth = kDepth};
    Tree tree;
    std::vector<std::uint64_t> numbers(kDepth);
    for (std::uint64_t i = 0; i < kDepth; ++i) numbers[i] = i + 1;
    std::ranges::shuffle(numbers, random);
    if (deepest_first) std::ranges::sort(numbers, std::greater());
    std::set<std::uint32_t> nodes;
    for (const std::uint64_t number : numbers) {
      nodes.insert(node_of(contexts, recursion, tree, number).value());
    }
    EXPECT_EQ(nodes.size(), kDepth);
    EXPECT_LT(recursion.steps_taken, 50 * kDepth);
  }
}

TEST(IdContexts, EndWhereTheTreeIsFull) {
  IdContexts contexts;
  Recursion recursion{.depth = 20};
  Tree tree{.nodes = {}, .most = 7};
  EXPECT_EQ(node_of(contexts, recursion, tree, 20), kFull);
  EXPECT_EQ(node_of(contexts, recursion, tree, 7), 7u);
  EXPECT_EQ(node_of(contexts, recursion, tree, 8), kFull);
}

}  // namespace
}  // namespace copse::events
