#include "base/id_word.h"

#include <gtest/gtest.h>

#include <random>

namespace copse::validation {
namespace {

TEST(IdWord, GivesBackEveryWord) {
  std::mt19937_64 random(testing::UnitTest::GetInstance()->random_seed());
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t word = i == 0 ? 0 : i == 1 ? ~std::uint64_t{0} : random();
    const CallRecord upper = id_word_record(7, IdWordHalf::kUpper, word);
    const CallRecord lower = id_word_record(7, IdWordHalf::kLower, word);
    ASSERT_EQ(id_word(upper, lower), word);
    ASSERT_EQ(id_word(key_of(upper), key_of(lower)), word);
    ASSERT_TRUE(is_id_word(upper) && is_id_word_half(upper, IdWordHalf::kUpper));
    ASSERT_TRUE(is_id_word(lower) && is_id_word_half(lower, IdWordHalf::kLower));
    ASSERT_FALSE(is_id_word_half(lower, IdWordHalf::kUpper));
    ASSERT_EQ(depth_of(upper), 7u);
    ASSERT_EQ(depth_of(lower), 7u);
  }
}

TEST(IdWord, IsNoMethodsCall) {
  for (const std::uint32_t method : {1u, kLastMethodId}) {
    EXPECT_FALSE(is_id_word(call_record(3, SiteOrdinal{0xFFFF}, MethodId{method})));
  }
  EXPECT_FALSE(is_id_word(0));
}

TEST(IdWord, HasTheBitsThatTheProbeWrites) {  // CopseIdWords.java
  const std::uint64_t word = 0x0123'4567'89AB'CDEF;
  EXPECT_EQ(id_word_record(1, IdWordHalf::kUpper, word), 0x0000'01'4567'FE'0123u);
  EXPECT_EQ(id_word_record(1, IdWordHalf::kLower, word), 0x0000'01'CDEF'FF'89ABu);
  EXPECT_EQ(id_word_record(1, IdWordHalf::kUpperOfStart, word), 0x0000'01'4567'FD'0123u);
}

}  // namespace
}  // namespace copse::validation
