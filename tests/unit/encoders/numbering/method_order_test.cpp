#include "encoders/numbering/method_order.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace copse::encoders {
namespace {

TEST(MethodOrder, RefusesTheEdgeThatClosesACycleAndNoOther) {
  MethodOrder order;
  EXPECT_TRUE(order.add(MethodId{3}, MethodId{2}));
  EXPECT_TRUE(order.add(MethodId{2}, MethodId{1}));
  EXPECT_FALSE(order.add(MethodId{1}, MethodId{3}));
  EXPECT_FALSE(order.add(MethodId{1}, MethodId{2}));
  EXPECT_FALSE(order.add(MethodId{1}, MethodId{1})) << "itself";
  EXPECT_TRUE(order.add(MethodId{3}, MethodId{1}));
  EXPECT_TRUE(order.add(MethodId{3}, MethodId{1})) << "by another call site";
}

// Returns true if `to` can be reached, by looking at every edge again and again.
bool reaches(const std::vector<std::pair<unsigned, unsigned>>& edges, unsigned from, unsigned to,
             unsigned methods) {
  std::vector<bool> seen(methods);
  seen[from] = true;
  for (unsigned round = 0; round < methods; ++round) {
    for (const auto& [a, b] : edges) {
      if (seen[a]) seen[b] = true;
    }
  }
  return seen[to];
}

TEST(MethodOrder, PutsCallersBeforeCalleesWhateverComesWhen) {
  constexpr unsigned kMethods = 14;
  unsigned refused = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    MethodOrder order;
    std::vector<std::pair<unsigned, unsigned>> edges;
    for (int i = 0; i < 40; ++i) {
      const auto from = static_cast<unsigned>(random() % kMethods);
      const auto to = static_cast<unsigned>(random() % kMethods);
      const bool closes = reaches(edges, to, from, kMethods);
      ASSERT_EQ(order.add(MethodId{from}, MethodId{to}), !closes) << from << " to " << to;
      if (!closes) edges.emplace_back(from, to);
      refused += closes;
      for (const auto& [a, b] : edges) ASSERT_TRUE(order.comes_before(MethodId{a}, MethodId{b}));
    }
  }
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace copse::encoders
