#include "encoders/dacce.h"

#include <gtest/gtest.h>

#include "letters.h"

namespace copse::encoders {
namespace {

TEST(Dacce, ReEncodingGivesTheHottestEdgeTheValue0) {
  DacceOptions options = DacceOptions::never();
  options.sample_period = 1;
  DacceEncoder dacce(options);
  auto& thread = enter(dacce, 'A', {});
  for (int i = 0; i < 5; ++i) {
    for (const EdgeKey site : {edge("AB", 1), edge("AB", 2), edge("AB", 2)}) {
      dacce.call(thread, site);
      dacce.call(thread, edge("BC"));
      dacce.ret(thread);
      dacce.ret(thread);
    }
  }
  dacce.re_encode();
  dacce.call(thread, edge("AB", 2));
  EXPECT_EQ(thread.id, 0u);
  EXPECT_TRUE(thread.helper.empty());
}

TEST(Dacce, ReEncodesWhenHotPathsChange) {
  DacceOptions options = DacceOptions::never();
  options.sample_period = 1;
  DacceEncoder dacce(options);
  auto& thread = enter(dacce, 'A', {edge("AB", 1)});
  dacce.ret(thread);
  dacce.call(thread, edge("AB", 2));
  dacce.ret(thread);
  dacce.re_encode();
  const std::uint32_t before = dacce.time_stamp();
  for (int i = 0; i < 1000; ++i) {
    dacce.call(thread, edge("AB", 2));
    dacce.call(thread, edge("BC"));
    dacce.unwind(thread, 2);
  }
  EXPECT_GT(dacce.time_stamp(), before);
  EXPECT_LT(dacce.time_stamp(), before + 3);
  dacce.call(thread, edge("AB", 2));
  EXPECT_EQ(thread.id, 0u);
}

TEST(Dacce, ReEncodesWhenTheHelperStackIsUsedOften) {
  DacceOptions options = DacceOptions::never();
  options.stack_period = 10;
  DacceEncoder dacce(options);
  auto& thread = enter(dacce, 'A', {});
  const std::uint32_t before = dacce.time_stamp();
  for (int i = 0; i < 12; ++i) {
    dacce.call(thread, edge("AB"));
    dacce.ret(thread);
  }
  EXPECT_EQ(dacce.time_stamp(), before + 1);
  dacce.call(thread, edge("AB"));
  EXPECT_TRUE(thread.helper.empty());
}

TEST(Dacce, OldTokensDecodeWithTheDictionaryOfTheirTime) {
  DacceEncoder dacce(DacceOptions::period(1));
  auto& thread = enter(dacce, 'A', {edge("AB"), edge("BC")});
  const Token old = token_of(dacce, thread);
  for (const EdgeKey step : {edge("CB", 2), edge("BD", 3), edge("DC", 4)}) dacce.call(thread, step);
  EXPECT_EQ(decoded_letters(dacce, old), "ABC");
  EXPECT_EQ(decoded_letters(dacce, token_of(dacce, thread)), "ABCBDC");
}

}  // namespace
}  // namespace copse::encoders
