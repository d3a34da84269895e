#include "ptql/engine/combined_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace copse::ptql {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kLeast = std::numeric_limits<double>::denorm_min();
constexpr std::int64_t kLongest = std::numeric_limits<std::int64_t>::max();

double sum_of(const std::vector<double>& values) {
  ExactSum sum;
  for (const double value : values) sum.add(value);
  return sum.rounded();
}

std::string text_of_all(Aggregate aggregate, const std::vector<Value>& values) {
  CombinedValues combined;
  for (const Value& value : values) EXPECT_TRUE(combined.add(aggregate, value));
  return to_text(combined.result(aggregate));
}

TEST(PtqlExactSum, IsRoundedOnce) {
  EXPECT_EQ(sum_of({}), 0);
  EXPECT_EQ(sum_of({-1.5, 0.25}), -1.25);
  EXPECT_EQ(sum_of(std::vector<double>(10, 0.1)), 1.0);
  EXPECT_EQ(sum_of({1e100, 1, -1e100}), 1);
  EXPECT_EQ(sum_of({kLargest, kLargest, -kLargest}), kLargest);
  EXPECT_EQ(sum_of({kLargest, kLargest}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(sum_of({kLeast, kLeast, -kLeast}), kLeast);
  EXPECT_EQ(sum_of({1, std::ldexp(1, -53)}), 1) << "half way: to the even one";
  EXPECT_EQ(sum_of({1, std::ldexp(1, -53), kLeast}), 1 + std::ldexp(1, -52));
  EXPECT_EQ(sum_of({-1, -std::ldexp(1, -53), -kLeast}), -1 - std::ldexp(1, -52));
  EXPECT_EQ(sum_of({1 + std::ldexp(1, -52), std::ldexp(1, -53)}), 1 + std::ldexp(1, -51));
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sum_of({infinity, -kLargest}), infinity);
  EXPECT_TRUE(std::isnan(sum_of({infinity, -infinity, 1})));
}

TEST(PtqlExactSum, DoesNotDependOnTheOrder) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> values;
    for (int i = 0; i < 40; ++i) {
      const double fraction = static_cast<double>(static_cast<std::int64_t>(random()));
      values.push_back(std::ldexp(fraction, static_cast<int>(random() % 200) - 100));
    }
    const double sum = sum_of(values);
    std::shuffle(values.begin(), values.end(), random);
    ASSERT_EQ(sum_of(values), sum);
    for (std::size_t i = 0, count = values.size(); i < count; ++i) values.push_back(-values[i]);
    std::shuffle(values.begin(), values.end(), random);
    ASSERT_EQ(sum_of(values), 0);
  }
}

TEST(PtqlCombinedValues, AreOfNumbersAndOfThoseInBoxes) {
  const std::vector<Value> values = {Value::integer(4), Value::box(7, Value::integer(-1)), Value(),
                                     Value::null(), Value::real(0.5)};
  EXPECT_EQ(text_of_all(Aggregate::kSum, values), "3.5");
  EXPECT_EQ(text_of_all(Aggregate::kMin, values), "-1");
  EXPECT_EQ(text_of_all(Aggregate::kMax, values), "4");
  EXPECT_EQ(text_of_all(Aggregate::kAvg, {Value::integer(1), Value::integer(2)}), "1.5");
  CombinedValues combined;
  EXPECT_FALSE(combined.add(Aggregate::kSum, Value::string("4")));
  EXPECT_FALSE(combined.add(Aggregate::kSum, Value::boolean(true)));
  EXPECT_FALSE(combined.add(Aggregate::kSum, Value::object(9)));
  EXPECT_FALSE(combined.result(Aggregate::kSum).present()) << "there was no number";
}

TEST(PtqlCombinedValues, SumsOfLongsAreExactAndBecomeRealsWhereTheyDoNotFit) {
  const Value longest = Value::integer(kLongest);
  EXPECT_EQ(text_of_all(Aggregate::kSum, {longest, longest, Value::integer(-kLongest)}),
            "9223372036854775807");
  EXPECT_EQ(text_of_all(Aggregate::kSum, {longest, Value::integer(1)}), "9223372036854775808.0");
  EXPECT_EQ(text_of_all(Aggregate::kAvg, {longest, longest}), "9223372036854775808.0");
  EXPECT_EQ(text_of_all(Aggregate::kSum, {longest, Value::real(-9223372036854775808.0)}), "-1.0");
}

TEST(PtqlCombinedValues, ExtremesAreTheSameInAnyOrder) {
  const Value nan = Value::real(std::nan(""));
  for (const auto& values : {std::vector{Value::real(2.0), Value::integer(2), nan},
                             std::vector{nan, Value::integer(2), Value::real(2.0)}}) {
    EXPECT_EQ(text_of_all(Aggregate::kMin, values), "2");
    EXPECT_EQ(text_of_all(Aggregate::kMax, values), "2");
    EXPECT_EQ(text_of_all(Aggregate::kSum, values), "NaN");
  }
  EXPECT_EQ(text_of_all(Aggregate::kMin, {nan}), "-") << "NaN is in no order";
  EXPECT_EQ(text_of_all(Aggregate::kMin, {Value::integer(kLongest), Value::real(9.3e18)}),
            "9223372036854775807");
}

}  // namespace
}  // namespace copse::ptql
