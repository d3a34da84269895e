#include "ptql/language/type_rules.h"

#include <gtest/gtest.h>

#include "support/ptql_queries.h"

namespace copse::ptql {
namespace {

std::string doubt_about(const std::string& predicate) {
  const std::vector<std::string> doubts = doubts_about(testing::query_of(
      "SELECT x.thread FROM MethodInvocation x, ObjectAllocation o WHERE " + predicate));
  EXPECT_LE(doubts.size(), 1u);
  return doubts.empty() ? "" : doubts.front();
}

TEST(PtqlDoubts, APatternBehindAnEqualSignIsTheTextItself) {
  EXPECT_EQ(
      doubt_about("x.implementingClass = 'org.apache.*'"),
      "x.implementingClass = 'org.apache.*' asks for this very text, * included; a pattern is "
      "x.implementingClass GLOB 'org.apache.*' (a * stops at dots, ** does not), or "
      "x.implementingClass =~ 'org.apache.*' (a regular expression)");
  EXPECT_EQ(doubt_about("x.implementingClass != 'java.**'"),
            "x.implementingClass != 'java.**' asks for this very text, * included; a pattern is "
            "x.implementingClass !~ 'java\\..*' (a regular expression)");
  EXPECT_EQ(
      doubt_about("'get%' = x.methodName"),
      "'get%' = x.methodName asks for this very text, % included; a pattern is x.methodName GLOB "
      "'get*' (a * stops at dots, ** does not), or x.methodName =~ 'get[^.]*' (a regular "
      "expression)");
  EXPECT_EQ(
      doubt_about("x.methodName = 'read|write'"),
      "x.methodName = 'read|write' asks for this very text, | included; a pattern is x.methodName "
      "=~ 'read|write' (a regular expression)");
  for (const char* predicate :
       {"x.declaringClass = 'java\\.util'", "o.dynamicType = '*'", "o.equalsClass = 'shop.*'",
        "o.compareToClass = 'shop.*'", "x.thrown.type = '*Exception'", "x.thread.name = 'pool-*'",
        "x.context = 'shop.*'", "x.caller = 'shop.*'", "x.methodName = '[a-z]'",
        "x.methodName = 'get.+'"}) {
    EXPECT_NE(doubt_about(predicate), "") << predicate;
  }
}

TEST(PtqlDoubts, ANameThatNothingHasIsToldWithTheOneMeant) {
  EXPECT_EQ(doubt_about("x.implementingClass = 'shop/DB'"),
            "x.implementingClass = 'shop/DB' asks for a name that no class has; packages have a . "
            "between "
            "them: 'shop.DB'");
  EXPECT_EQ(doubt_about("x.methodName = 'find()'"),
            "x.methodName = 'find()' asks for a name that no method has; methods stand without (): "
            "'find'");
  EXPECT_EQ(doubt_about("x.methodName = 'shop.DB.find'"),
            "x.methodName = 'shop.DB.find' asks for a name that no method has; a method's class is "
            "a field "
            "of its own: x.implementingClass = 'shop.DB' AND x.methodName = 'find'");
  EXPECT_NE(doubt_about("x.implementingClass GLOB 'shop/**'"), "");
  EXPECT_NE(doubt_about("x.methodName GLOB 'shop.DB.*'"), "");
}

TEST(PtqlDoubts, AGlobIsNoRegularExpressionNorTheOtherWayRound) {
  EXPECT_NE(doubt_about("x.methodName GLOB 'read|write'"), "");
  EXPECT_NE(doubt_about("x.implementingClass GLOB 'java\\.util\\..*'"), "");
  EXPECT_NE(doubt_about("x.methodName GLOB 'get%'"), "");
  EXPECT_NE(doubt_about("x.methodName =~ 'get%'"), "");
  EXPECT_NE(doubt_about("x.implementingClass =~ 'Shop$Feed'"), "") << "$ is the end";
}

TEST(PtqlDoubts, WhatMeansWhatItSaysIsLeftAlone) {
  for (const char* predicate :
       {"x.implementingClass = 'Shop$Feed'", "x.methodName = '<init>'", "o.dynamicType = 'int[]'",
        "o.dynamicType = 'java.lang.String[][]'", "x.implementingClass =~ 'Shop'",
        "x.methodName GLOB 'find'", "x.implementingClass =~ 'Shop([$].*)?'",
        "x.implementingClass =~ 'Shop\\$Feed'", "x.implementingClass =~ '^Shop$|^A$'",
        "x.implementingClass GLOB 'org.apache.*'", "x.methodName !~ 'lambda.*'",
        "x.param0 = 'SELECT * FROM t'", "x.param0.text = 'a/b'", "x.result = '100%'",
        "x.thread.name = 'worker (1/2)'", "x.methodName != 'main'",
        "x.methodName = 'lambda$main$0'", "x.context GLOB '**'"}) {
    EXPECT_EQ(doubt_about(predicate), "") << predicate;
  }
}

}  // namespace
}  // namespace copse::ptql
