#include "ptql/plan/static_filter.h"

#include <gtest/gtest.h>

#include "support/ptql_queries.h"

namespace copse::ptql {
namespace {

const MethodFacts kRead = {"read", "java.io.InputStream", "shop.Stream", 1, false, false};

IdentifierSet chosen(const std::string& predicate, const MethodFacts& facts) {
  return StaticFilter(
             testing::query_of("SELECT x.startTime FROM MethodInvocation x WHERE " + predicate))
      .methods(facts);
}

TEST(PtqlStaticFilter, DecidesByNamesWithEveryComparison) {
  for (const char* predicate :
       {"x.methodName = 'read'", "x.methodName != 'write'", "x.methodName =~ 'read|write'",
        "x.implementingClass !~ 'java\\..*'", "x.implementingClass GLOB 'shop.*'",
        "x.declaringClass != x.implementingClass", "x.methodName > 'ra'"}) {
    EXPECT_EQ(chosen(predicate, kRead), set_of(0)) << predicate;
  }
  for (const char* predicate :
       {"x.methodName = 'rea'", "x.methodName =~ 'rea'", "x.methodName !~ 'r.*'",
        "x.implementingClass GLOB 'sh*'", "x.declaringClass = 'shop.Stream'"}) {
    EXPECT_EQ(chosen(predicate, kRead), 0u) << predicate;
  }
}

TEST(PtqlStaticFilter, HasSectionsWhereTheyAreAskedForByName) {
  const MethodFacts sections = section_facts("shop.Stock");
  for (const char* predicate :
       {"x.methodName = 'synchronized'", "'synchronized' = x.methodName",
        "x.methodName =~ 'lock|synchronized'", "x.methodName GLOB 'synchronized*'",
        "x.methodName = 'synchronized' AND x.param0 = null",
        "x.methodName = 'synchronized' AND x.implementingClass = 'shop.Stock'"}) {
    EXPECT_EQ(chosen(predicate, sections), set_of(0)) << predicate;
  }
  for (const char* predicate :
       {"x.methodName =~ '.*'", "x.methodName != 'read'", "x.methodName !~ 'read'",
        "x.methodName GLOB '**'", "x.receiver != null", "x.methodName != 'synchronized'",
        "x.methodName = 'synchronized' AND x.result = 1",
        "x.methodName = 'synchronized' AND x.implementingClass = 'shop.Shop'"}) {
    EXPECT_EQ(chosen(predicate, sections), 0u) << predicate;
  }
}

TEST(PtqlStaticFilter, AMethodOfThatNameIsAnother) {
  const MethodFacts named = {"synchronized", "A", "A", 2, true, false};
  EXPECT_EQ(chosen("x.methodName =~ '.*'", named), set_of(0));
}

TEST(PtqlStaticFilter, AsksForWhatTheMentionedFieldsNeed) {
  EXPECT_EQ(chosen("x.param0 = 1", kRead), set_of(0));
  EXPECT_EQ(chosen("x.param1 = 1", kRead), 0u);
  EXPECT_EQ(chosen("x.result = 1", kRead), set_of(0));
  EXPECT_EQ(chosen("x.result = 1", {"f", "A", "A", 0, false, true}), 0u) << "void";
  EXPECT_EQ(chosen("x.receiver = null", {"f", "A", "A", 0, true, false}), 0u) << "static";
  const Query selecting = testing::query_of("SELECT x.result FROM MethodInvocation x");
  EXPECT_EQ(StaticFilter(selecting).methods({"f", "A", "A", 0, false, true}), 0u);
}

TEST(PtqlStaticFilter, LeavesToTheRunWhatNamesDoNotDecide) {
  const Query query = testing::query_of(
      "SELECT x.startTime FROM MethodInvocation x, MethodInvocation y "
      "WHERE x.methodName = y.methodName AND x.methodName = x.param0 AND x.methodName = 'a'");
  const StaticFilter filter(query);
  EXPECT_FALSE(filter.decides(0));
  EXPECT_FALSE(filter.decides(1));
  EXPECT_TRUE(filter.decides(2));
}

TEST(PtqlStaticFilter, TakesMethodsWhoseFirstDeclarationIsNotKnown) {
  const StaticFilter filter(testing::query_of(
      "SELECT x.startTime FROM MethodInvocation x WHERE x.declaringClass = 'java.io.Closeable' "
      "AND x.methodName = 'close'"));
  EXPECT_EQ(filter.methods({"close", "A", "A", 0, false, true}), 0u);
  EXPECT_EQ(filter.methods_without_hierarchy({"close", "A", "A", 0, false, true}), set_of(0));
  EXPECT_EQ(filter.methods_without_hierarchy({"open", "A", "A", 0, false, true}), 0u);
}

TEST(PtqlStaticFilter, ChoosesObjectsByTheirClass) {
  const StaticFilter filter(testing::query_of(
      "SELECT o.startTime FROM ObjectAllocation o, MethodInvocation m, ObjectAllocation p "
      "WHERE o.dynamicType GLOB 'shop.**' AND p.dynamicType != 'shop.A'"));
  EXPECT_EQ(filter.objects("shop.A"), set_of(0));
  EXPECT_EQ(filter.objects("shop.B"), set_of(0) | set_of(2));
  EXPECT_EQ(filter.objects("B"), set_of(2));
}

}  // namespace
}  // namespace copse::ptql
