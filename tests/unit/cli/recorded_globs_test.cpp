#include "cli/look/recorded_globs.h"

#include <gtest/gtest.h>

#include <variant>

namespace copse::cli {
namespace {

// Returns the warning about queries to a recording with these globs.
std::string left_out(const std::vector<std::string>& globs,
                     const std::vector<std::string>& queries) {
  AskedQueries asked;
  for (const std::string& query : queries) {
    asked.names.push_back("query " + std::to_string(asked.names.size() + 1));
    asked.plans.push_back(ptql::make_plan(std::get<ptql::Query>(ptql::parse_query(query))));
  }
  return what_globs_leave_out(asked, globs);
}

std::string of_method(const std::string& where) {
  return "SELECT x.startTime FROM MethodInvocation x WHERE " + where;
}

constexpr const char* kAsksForMore = ", but x asks for more, so that answers may be missing";

TEST(RecordedGlobs, AreEnoughForWhatTheyMatch) {
  EXPECT_EQ(left_out({"shop.**"}, {of_method("x.implementingClass = 'shop.DB'")}), "");
  EXPECT_EQ(left_out({"shop.**"}, {of_method("x.implementingClass GLOB 'shop.db.*'")}), "");
  EXPECT_EQ(left_out({"Shop**"}, {of_method("x.implementingClass =~ 'Shop([$].*)?'")}), "");
  EXPECT_EQ(left_out({"**"}, {of_method("x.methodName = 'find'")}), "");
  EXPECT_EQ(left_out({"shop.DB.find"}, {of_method("x.implementingClass = 'shop.DB' AND "
                                                  "x.methodName =~ 'find'")}),
            "");
  EXPECT_EQ(left_out({"java.util.**"}, {of_method("x.implementingClass = 'java.util.Map'")}), "");
}

TEST(RecordedGlobs, LeaveOutOtherClassesAndMethods) {
  EXPECT_EQ(left_out({"shop.**"}, {of_method("x.methodName = 'find'")}),
            std::string("the recording has what shop.** matches") + kAsksForMore);
  EXPECT_EQ(left_out({"shop.*", "**.util.*"}, {of_method("x.implementingClass = 'shop.db.DB'")}),
            std::string("the recording has what shop.*, **.util.* match") + kAsksForMore);
  EXPECT_EQ(left_out({"shop.DB.find"}, {of_method("x.implementingClass = 'shop.DB' AND "
                                                  "x.methodName =~ 'find|save'")}),
            std::string("the recording has what shop.DB.find matches") + kAsksForMore);
  EXPECT_EQ(left_out({"Shop"}, {of_method("x.implementingClass =~ 'Shop([$].*)?'")}),
            std::string("the recording has what Shop matches") + kAsksForMore);
}

TEST(RecordedGlobs, OfTheJdkTakeNothingWhenTheyBeginWithAStar) {
  EXPECT_EQ(
      left_out({"**"}, {of_method("x.implementingClass = 'java.util.ArrayDeque'")}),
      std::string("the recording has what ** matches, and nothing of the JDK") + kAsksForMore);
  EXPECT_EQ(left_out({"**", "java.io.*"}, {of_method("x.implementingClass = 'java.util.Map'")}),
            std::string("the recording has what **, java.io.* match") + kAsksForMore);
}

TEST(RecordedGlobs, HaveTheObjectsThatMethodsHave) {
  const std::string found = "SELECT o.receiver FROM ObjectAllocation o WHERE o.dynamicType = 'A'";
  EXPECT_EQ(left_out({"A"}, {found}), "");
  EXPECT_EQ(left_out({"B"}, {found}),
            "the recording has what B matches, but o asks for more, so "
            "that answers may be missing");
  EXPECT_EQ(left_out({"B"}, {"SELECT x.startTime FROM MethodInvocation x, ObjectAllocation o WHERE "
                             "x.implementingClass = 'B' AND x.receiver = o.receiver"}),
            "");
}

TEST(RecordedGlobs, AreSaidOnceOfSeveralQueries) {
  EXPECT_EQ(
      left_out({"A"}, {of_method("x.implementingClass = 'A'"), of_method("x.methodName = 'f'"),
                       "SELECT y.startTime FROM MethodInvocation y, NEGATIVE MethodInvocation "
                       "z WHERE y.implementingClass = 'A' AND z.thread = y.thread"}),
      "the recording has what A matches, but x of query 2, z of query 3 ask for more, so that "
      "answers may be missing and, with NEGATIVE, answers may be wrong");
  EXPECT_EQ(left_out({}, {of_method("x.methodName = 'f'")}), "");
}

}  // namespace
}  // namespace copse::cli
