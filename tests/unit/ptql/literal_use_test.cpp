#include "ptql/engine/literal_use.h"

#include <gtest/gtest.h>

#include "support/ptql_run.h"

namespace copse::ptql {
namespace {

const std::string kMethods = "method f class=A name=f params=1\nmethod g class=A name=g params=1\n";
const std::string kTexts =
    "enter 1 f thread=#1 param0=#7'5'\nleave 1 result=null\n"
    "enter 2 f thread=#1 param0=#8'tea'\nleave 2 result=null\n"
    "enter 3 f thread=#1 param0=#9\nleave 3 result=null\n"
    "enter 4 f thread=#1 param0=null\nleave 4 result=null\n";

std::vector<std::string> sentences(const std::string& predicates, const std::string& events) {
  return testing::ask_run("SELECT x.startTime FROM MethodInvocation x WHERE " + predicates,
                          kMethods + events)
      .beside_other_types;
}

TEST(PtqlLiteralUse, SaysWhatWasThereInPlaceOfTheLiteralsType) {
  EXPECT_EQ(sentences("x.param0 = 5", kTexts),
            std::vector<std::string>{
                "x.param0 = 5 held of no record: x.param0 was a text 2 times, an object without a "
                "value (Strings and boxes such as Integer have one) 1 time; texts stand between "
                "quotes"});
  EXPECT_EQ(sentences("x.param0 = '120'", "enter 1 f thread=#1 param0=120\n"),
            std::vector<std::string>{"x.param0 = '120' held of no record: x.param0 was a number 1 "
                                     "time; numbers, chars among them, stand without quotes"});
  EXPECT_EQ(
      sentences("x.param0 = true", "enter 1 f thread=#1 param0=#7(1)\n"),
      std::vector<std::string>{"x.param0 = true held of no record: x.param0 was a number 1 time"});
}

TEST(PtqlLiteralUse, KnowsEveryPredicateThatHoldsOfNoOtherType) {
  for (const char* predicate : {"5 = x.param0", "x.param0 < 5", "x.param0 >= 1.5",
                                "x.param0 = false", "x.param0.value = 5"}) {
    EXPECT_EQ(sentences(predicate, "enter 1 f thread=#1 param0=#7'tea'\n").size(), 1u) << predicate;
  }
  for (const char* predicate :
       {"x.result =~ '5'", "x.result GLOB '5'", "x.result <= '5'", "x.result.text = '5'"}) {
    EXPECT_EQ(sentences(predicate, "enter 1 f thread=#1\nleave 1 result=5\n").size(), 1u)
        << predicate;
  }
  EXPECT_EQ(sentences("x.receiver = 5", "enter 1 f thread=#1 receiver=#7\n").size(), 1u);
}

TEST(PtqlLiteralUse, SaysNothingWhereTheLiteralHasSomethingBesideIt) {
  EXPECT_TRUE(sentences("x.param0 = 'coffee'", kTexts).empty()) << "there are texts";
  EXPECT_TRUE(sentences("x.param0 = 5", "enter 1 f thread=#1 param0=#7(6)\n").empty());
  EXPECT_TRUE(sentences("x.param0 = 5", "enter 1 f thread=#1 param0=null\n").empty());
  EXPECT_TRUE(sentences("x.param0 = 5", "").empty()) << "there is nothing at all";
  EXPECT_TRUE(sentences("x.param0 != 5", kTexts).empty()) << "it holds";
  EXPECT_TRUE(sentences("x.param0 !~ 'a' AND x.param0 = null", kTexts).empty());
  EXPECT_TRUE(sentences("x.methodName = 'h'", kTexts).empty());
}

}  // namespace
}  // namespace copse::ptql
