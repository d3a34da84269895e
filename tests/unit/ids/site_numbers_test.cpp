#include "encoders/ids/site_numbers.h"

#include <gtest/gtest.h>

#include "encoders/ids/id_layout.h"

namespace copse::ids {
namespace {

TEST(SiteNumbers, AreConsecutiveWithinAMethod) {
  SiteNumbers numbers;
  const auto a = numbers.first_of(MethodId{7}, 3);
  const auto b = numbers.first_of(MethodId{2}, 0);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(*b, *a + 4);
  for (std::uint32_t ordinal = 0; ordinal <= 3; ++ordinal) {
    const SiteNumbers::Site site = numbers.site(*a + ordinal);
    EXPECT_EQ(site.caller, MethodId{7});
    EXPECT_EQ(raw(site.ordinal), ordinal);
  }
  EXPECT_EQ(numbers.site(*b).caller, MethodId{2});
  EXPECT_EQ(numbers.site(*b).ordinal, kNoSite);
}

TEST(SiteNumbers, TellWhichMethodsHaveThem) {
  SiteNumbers numbers;
  ASSERT_TRUE(numbers.first_of(MethodId{4}, 0).has_value());
  EXPECT_TRUE(numbers.has(MethodId{4}));
  EXPECT_FALSE(numbers.has(MethodId{3}));
  EXPECT_FALSE(numbers.has(MethodId{5}));
}

TEST(SiteNumbers, AreNeverRootsOrOfWhatIsLost) {
  SiteNumbers numbers;
  const auto first = numbers.first_of(MethodId{1}, 65535);
  ASSERT_TRUE(first);
  EXPECT_GE(*first, kRootNumbers);
  EXPECT_LT(*first + 65535, kLostNumber);
}

TEST(SiteNumbers, RootIsNoMethod) {
  const SiteNumbers numbers;
  for (const std::uint32_t number : {kRootNumber, kRootNumber + 1, kRootNumbers - 1}) {
    EXPECT_EQ(numbers.site(number).caller, kNoMethod);
    EXPECT_EQ(numbers.site(number).ordinal, kNoSite);
  }
}

TEST(SiteNumbers, StayWhatTheFirstCallMadeThem) {
  SiteNumbers numbers;
  const auto first = numbers.first_of(MethodId{1}, 2);
  const auto next = numbers.first_of(MethodId{2}, 5);
  EXPECT_EQ(numbers.first_of(MethodId{1}, 40), first);
  EXPECT_EQ(numbers.first_of(MethodId{1}, 0), first);
  EXPECT_EQ(*numbers.first_of(MethodId{3}, 0), *next + 6);
}

TEST(SiteNumbers, AreNothingWhenUsedUp) {
  SiteNumbers numbers;
  const auto large = numbers.first_of(MethodId{1}, kMostIdNumbers / 2);
  ASSERT_TRUE(large);
  EXPECT_EQ(numbers.first_of(MethodId{2}, kMostIdNumbers / 2), std::nullopt);
  EXPECT_EQ(numbers.first_of(MethodId{3}, ~std::uint32_t{0}), std::nullopt);
  EXPECT_EQ(numbers.first_of(MethodId{1}, 0), large);
  const auto small = numbers.first_of(MethodId{2}, 10);
  ASSERT_TRUE(small) << "a method that found no room is asked for again with fewer sites";
  EXPECT_EQ(numbers.site(*small + 10).caller, MethodId{2});
}

TEST(SiteNumbers, EndBelowTheLostOnes) {
  SiteNumbers numbers;
  std::uint32_t given = 0;
  std::uint32_t last = 0;
  for (std::uint32_t method = 1;; ++method) {
    const auto first = numbers.first_of(MethodId{method}, 65535);
    if (!first) break;
    last = *first + 65535;
    ++given;
  }
  EXPECT_LT(last, kLostNumber);
  EXPECT_GE(given, kMostIdNumbers / 65536 - 2);
  EXPECT_EQ(numbers.site(last).ordinal, SiteOrdinal{65535});
}

}  // namespace
}  // namespace copse::ids
