#include "ptql/language/type_rules.h"

#include <gtest/gtest.h>

#include "support/ptql_queries.h"

namespace copse::ptql {
namespace {

// Returns whether the texts of x.param0 and of x.result are needed.
std::pair<bool, bool> text_needs(const std::string& selected, const std::string& predicates) {
  const Query query =
      testing::plan_of("SELECT " + selected +
                       " FROM MethodInvocation x, MethodInvocation y WHERE " + predicates)
          .query;
  return {needs_text(query, {0, Field::kParam, 0}), needs_text(query, {0, Field::kResult, 0})};
}

constexpr std::pair kNone{false, false};

TEST(PtqlTextUse, ObjectsAreComparedWithoutTheirTexts) {
  EXPECT_EQ(text_needs("x.startTime", "x.param0 = y.result AND x.result != null"), kNone);
  EXPECT_EQ(text_needs("x.startTime", "x.param0 != 5 AND x.result != true"), kNone);
  EXPECT_EQ(text_needs("y.param0", "x.param0 = y.param0 AND x.result = y.param0"), kNone)
      << "the same parameter of another invocation";
}

TEST(PtqlTextUse, TextsAreNeededWhereTheyAreSelectedOrCompared) {
  const std::pair of_parameter{true, false};
  EXPECT_EQ(text_needs("x.param0", "x.result = y.result"), of_parameter);
  EXPECT_EQ(text_needs("x.startTime", "x.param0 = 'tea' AND x.result = y.result"), of_parameter);
  EXPECT_EQ(text_needs("x.startTime", "'tea' != x.param0 AND x.result = y.result"), of_parameter);
  EXPECT_EQ(text_needs("x.startTime", "x.param0 = y.methodName"), of_parameter);
  EXPECT_EQ(text_needs("x.startTime", "x.param0 =~ 'te.*'"), of_parameter);
  EXPECT_EQ(text_needs("x.startTime", "x.param0 GLOB 'te*'"), of_parameter);
  EXPECT_EQ(text_needs("x.startTime", "x.param0 > 5 AND x.result = y.result"), of_parameter)
      << "to say that a text was there";
  EXPECT_EQ(text_needs("COUNT(*), x.result", "x.param0 = null GROUP BY x.result"),
            (std::pair{false, true}));
}

TEST(PtqlTextUse, AFieldThatIsATextNeedsIt) {
  const std::string asked = "x.param0.text = y.param0.text AND x.param0 = y.param0";
  const Query query =
      testing::plan_of("SELECT x.startTime FROM MethodInvocation x, MethodInvocation y WHERE " +
                       asked)
          .query;
  EXPECT_TRUE(needs_text(query, {0, Field::kParamText, 0}));
  EXPECT_FALSE(needs_text(query, {0, Field::kParam, 0})) << "it is compared as an object";
}

TEST(PtqlTextUse, ANumberInABoxNeedsNone) {
  const Query query =
      testing::plan_of(
          "SELECT x.param0.value FROM MethodInvocation x WHERE x.param0.value != 5 AND "
          "x.result + 1 > 5 AND x.receiver != 5")
          .query;
  for (const Field field : {Field::kParamValue, Field::kParam, Field::kResult, Field::kReceiver}) {
    EXPECT_FALSE(needs_text(query, {0, field, 0}));
  }
  EXPECT_TRUE(needs_text(
      testing::plan_of("SELECT x.thread FROM MethodInvocation x WHERE x.receiver = 'a'").query,
      {0, Field::kReceiver, 0}));
}

}  // namespace
}  // namespace copse::ptql
