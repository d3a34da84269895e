#include "base/token_record.h"

#include <gtest/gtest.h>

#include <random>

namespace copse {
namespace {

TEST(TokenRecord, GivesBackEveryWord) {
  std::mt19937_64 random(testing::UnitTest::GetInstance()->random_seed());
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t word = i == 0 ? 0 : i == 1 ? ~std::uint64_t{0} : random();
    const CallRecord upper = token_record(7, TokenPart::kUpper, word);
    const CallRecord lower = token_record(7, TokenPart::kLower, word);
    ASSERT_EQ(token_word(upper, lower), word);
    ASSERT_EQ(token_word(key_of(upper), key_of(lower)), word);
    ASSERT_TRUE(is_token(upper) && is_token_part(upper, TokenPart::kUpper));
    ASSERT_TRUE(is_token(lower) && is_token_part(lower, TokenPart::kLower));
    ASSERT_FALSE(is_token_part(lower, TokenPart::kUpper));
    ASSERT_EQ(depth_of(upper), 7u);
    ASSERT_EQ(depth_of(lower), 7u);
  }
}

TEST(TokenRecord, IsNoMethodsCall) {
  for (const std::uint32_t method : {1u, kLastMethodId}) {
    EXPECT_FALSE(is_token(call_record(3, SiteOrdinal{0xFFFF}, MethodId{method})));
  }
  EXPECT_FALSE(is_token(0));
}

TEST(TokenRecord, HasTheBitsThatTheProbeWrites) {  // CopseTokens.java
  const std::uint64_t word = 0x0123'4567'89AB'CDEF;
  EXPECT_EQ(token_record(1, TokenPart::kUpper, word), 0x0000'01'4567'FE'0123u);
  EXPECT_EQ(token_record(1, TokenPart::kLower, word), 0x0000'01'CDEF'FF'89ABu);
}

}  // namespace
}  // namespace copse
