#include "compare/gate/span.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>

namespace copse::gate {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

Bound bound(Bound::Kind kind, std::int64_t digits, std::int64_t scale = 1) {
  return {kind, digits, scale};
}
Span point(std::uint64_t count) { return span_of(CountSpan{count, count, true}); }

TEST(Fraction, ComparesWhatDoublesCannot) {
  EXPECT_TRUE(compare(quotient(kMost, 1), quotient(kMost - 1, 1)) > 0);
  EXPECT_TRUE(compare(quotient(kMost, kMost), quotient(1, 1)) == 0);
  EXPECT_TRUE(compare(quotient(kMost - 1, kMost), quotient(1, 1)) < 0);
  EXPECT_TRUE(compare(quotient(1, 3), quotient(334, 1000)) < 0);
  EXPECT_TRUE(compare(kInfinite, quotient(kMost, 1)) > 0);
  EXPECT_TRUE(compare({-1, 2}, {-1, 3}) < 0);
  EXPECT_TRUE(compare({-1, 2}, quotient(0, 1)) < 0);
}

TEST(Fraction, OrdersAsProductsDo) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 20'000; ++round) {
    const auto below = [&](std::uint64_t limit) { return random() % limit; };
    const std::uint64_t limit = std::uint64_t{1} << (1 + below(31));
    const std::uint64_t a = below(limit), b = 1 + below(limit), c = below(limit),
                        d = 1 + below(limit);
    EXPECT_TRUE(compare(quotient(a, b), quotient(c, d)) == (a * d <=> c * b))
        << a << '/' << b << ' ' << c << '/' << d;
  }
}

TEST(Threshold, IsOfOldAndTheBound) {
  const auto is = [](const Fraction& a, const Fraction& b) { return compare(a, b) == 0; };
  EXPECT_TRUE(is(threshold(quotient(7, 1), bound(Bound::Kind::kPlain, 25, 10)), {5, 2}));
  EXPECT_TRUE(is(threshold(quotient(7, 2), bound(Bound::Kind::kChange, -4)), {-1, 2}));
  EXPECT_TRUE(is(threshold(quotient(200, 1), bound(Bound::Kind::kPercent, 25, 10)), {205, 1}));
  EXPECT_TRUE(is(threshold(quotient(200, 1), bound(Bound::Kind::kPercent, -100)), {0, 1}));
  // The largest there are.
  const std::int64_t digits = (std::int64_t{1} << 60) / 10;
  EXPECT_TRUE(
      compare(threshold(quotient(kMost, kMost), bound(Bound::Kind::kChange, digits, 1'000'000)),
              quotient(1, 1)) > 0);
  EXPECT_TRUE(
      compare(threshold(quotient(kMost, 1), bound(Bound::Kind::kPercent, digits, 1'000'000)),
              quotient(kMost, 1)) > 0);
}

TEST(Span, SaysWhatIsTrueOfAllThatItMayBe) {
  const Span one_to_three = span_of(CountSpan{1, 3, true});
  EXPECT_EQ(compare(one_to_three, Comparator::kMore, point(0)), Truth::kYes);
  EXPECT_EQ(compare(one_to_three, Comparator::kMore, point(1)), Truth::kDepends);
  EXPECT_EQ(compare(one_to_three, Comparator::kMore, point(3)), Truth::kNo);
  EXPECT_EQ(compare(one_to_three, Comparator::kAtLeast, point(1)), Truth::kYes);
  EXPECT_EQ(compare(one_to_three, Comparator::kAtLeast, point(4)), Truth::kNo);
  EXPECT_EQ(compare(one_to_three, Comparator::kFewer, point(4)), Truth::kYes);
  EXPECT_EQ(compare(one_to_three, Comparator::kAtMost, point(3)), Truth::kYes);
  EXPECT_EQ(compare(one_to_three, Comparator::kAtMost, point(0)), Truth::kNo);
  EXPECT_EQ(compare(one_to_three, Comparator::kEqual, point(2)), Truth::kDepends);
  EXPECT_EQ(compare(one_to_three, Comparator::kEqual, point(4)), Truth::kNo);
  EXPECT_EQ(compare(one_to_three, Comparator::kDifferent, point(4)), Truth::kYes);
  EXPECT_EQ(compare(point(3), Comparator::kEqual, point(3)), Truth::kYes);
  const Span any = span_of(CountSpan{5, 5, false});
  EXPECT_EQ(compare(any, Comparator::kMore, point(kMost)), Truth::kDepends);
  EXPECT_EQ(compare(any, Comparator::kMore, point(4)), Truth::kYes);
}

TEST(Span, OfAQuotientIsOfAllPairs) {
  const Span quotient_of = span_of(CountSpan{2, 6, true}, CountSpan{1, 4, true});
  EXPECT_TRUE(compare(quotient_of.least, quotient(1, 2)) == 0);
  EXPECT_TRUE(compare(quotient_of.greatest, quotient(6, 1)) == 0);
  EXPECT_TRUE(span_of(CountSpan{2, 6, true}, CountSpan{0, 4, true}).greatest.is_infinite());
  EXPECT_TRUE(span_of(CountSpan{2, 6, true}, CountSpan{0, 0, true}).least.is_infinite());
  EXPECT_TRUE(
      compare(span_of(CountSpan{2, 6, true}, CountSpan{1, 1, false}).least, quotient(0, 1)) == 0);
}

}  // namespace
}  // namespace copse::gate
