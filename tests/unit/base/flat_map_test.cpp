#include "base/flat_map.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace copse::encoders {
namespace {

TEST(FlatMap, AgreesWithAnOrderedMap) {
  FlatMap<std::uint64_t, std::uint32_t> map;
  std::map<std::uint64_t, std::uint32_t> expected;
  std::mt19937_64 random(7);
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const std::uint64_t key = 1 + random() % 5000;
    map[key] = i;
    expected[key] = i;
  }
  EXPECT_EQ(map.size(), expected.size());
  for (std::uint64_t key = 1; key <= 5000; ++key) {
    const std::uint32_t* found = map.find(key);
    const auto wanted = expected.find(key);
    ASSERT_EQ(found != nullptr, wanted != expected.end()) << key;
    if (found) {
      EXPECT_EQ(*found, wanted->second);
    }
  }
  std::size_t visited = 0;
  map.for_each([&](std::uint64_t key, std::uint32_t value) {
    ++visited;
    EXPECT_EQ(expected.at(key), value);
  });
  EXPECT_EQ(visited, expected.size());
}

TEST(FlatMap, NewValuesAreDefaultConstructed) {
  FlatMap<PairKey, std::uint64_t> map;
  EXPECT_EQ(map.find({1, 0}), nullptr);
  EXPECT_EQ((map[{1, 0}]), 0u);
  EXPECT_NE(map.find({1, 0}), nullptr);
  EXPECT_EQ(map.find({1, 1}), nullptr);
}

TEST(FlatMap, StaysAtMostHalfFull) {
  FlatMap<std::uint64_t, std::uint64_t> map;
  for (std::uint64_t key = 1; key <= 1000; ++key) {
    map[key] = key;
    EXPECT_GE(map.bytes(), 2 * map.size() * 16);
  }
}

}  // namespace
}  // namespace copse::encoders
