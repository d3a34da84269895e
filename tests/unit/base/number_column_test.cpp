#include "base/number_column.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace copse {
namespace {

using Vector = std::vector<std::uint64_t>;

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

TEST(NumberColumn, HasTheNumbersThatAVectorHas) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE(round);
    NumberColumn column;
    Vector vector;
    for (int step = 0; step < 3000; ++step) {
      const std::uint64_t number = random() >> random() % 65 % 64;
      const std::size_t row = vector.empty() ? 0 : random() % vector.size();
      switch (random() % (vector.empty() ? 2 : 5)) {
        case 0:
          column.push_back(number);
          vector.push_back(number);
          break;
        case 1: {
          const std::size_t rows =
              random() % 8 == 0 ? random() % 4000 : vector.size() + random() % 5;
          column.resize(rows);
          vector.resize(rows);
          break;
        }
        case 2:
          column[row] = number;
          vector[row] = number;
          break;
        case 3:
          column[row] += number;
          vector[row] += number;
          break;
        default:
          column[row] -= 1;
          vector[row] -= 1;
      }
    }
    EXPECT_EQ(column, NumberColumn(vector));
    EXPECT_EQ(Vector(column.begin(), column.end()), vector);
    const NumberColumn copy = column;
    column.resize(0);
    EXPECT_EQ(copy, NumberColumn(vector));
  }
}

TEST(NumberColumn, KeepsTheNumbersBesideOneThatMakesTheirPageWider) {
  for (const std::uint64_t number : {std::uint64_t{1}, std::uint64_t{255}, std::uint64_t{256},
                                     std::uint64_t{65536}, std::uint64_t{1} << 32, kMost}) {
    NumberColumn column(3000);
    column[1500] = 7;
    column[1501] = number;
    EXPECT_EQ(column[1500], 7u);
    EXPECT_EQ(column[1501], number);
    EXPECT_EQ(column[1502], 0u);
    EXPECT_EQ(std::accumulate(column.begin(), column.end(), std::uint64_t{0}), 7 + number);
  }
}

TEST(NumberColumn, HasZerosInRowsThatWereCutOffBefore) {
  NumberColumn column{1, 2, 3};
  column.resize(1);
  column.resize(3);
  EXPECT_EQ(column, (NumberColumn{1, 0, 0}));
}

TEST(NumberColumn, TakesNoMoreMemoryThanItsNumbersNeed) {
  constexpr std::size_t kRows = 1'000'000;
  NumberColumn column(kRows);
  EXPECT_LT(column.memory_bytes(), kRows / 20);  // all zeros
  for (std::size_t row = 0; row < kRows; row += kRows / 10) column[row] = kMost;
  EXPECT_LT(column.memory_bytes(), kRows / 5);
  for (std::size_t row = 0; row < kRows; ++row) column[row] = row % 200;
  EXPECT_LT(column.memory_bytes(), 2 * kRows);
}

TEST(NumberColumn, ReadsACellWhenItIsCopiedIntoAnother) {
  NumberColumn column{5, 300};
  column[0] = column[1];
  EXPECT_EQ(column, (NumberColumn{300, 300}));
}

}  // namespace
}  // namespace copse
