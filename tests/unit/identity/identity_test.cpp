#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compare/identity/find_context.h"
#include "compare/identity/method_key.h"
#include "compare/identity/stable_ids.h"
#include "support/expect_fault.h"
#include "support/small_report.h"

namespace copse::identity {
namespace {

using testing::SmallReport;

constexpr IdRules kExactRules{Sites::kBytecodeIndex, Names::kExact};

// Computed with Python's hashlib, as docs/report-schema.md says.
TEST(StableIds, AreWhatTheFormatSays) {
  SmallReport report;
  const auto main = report.method("demo.Main", "main", "([Ljava/lang/String;)V");
  const auto log = report.method("demo.Log", "lambda$log$7");
  const auto top = report.node(0, main);
  report.node(top, log, 12, 258);
  const std::vector<StableId> ids = stable_ids(report.model, {});
  ASSERT_EQ(ids.size(), 3U);
  EXPECT_EQ(hex(ids[0]), "429f95aabd3dee8ca38326bea4e0e934");
  EXPECT_EQ(hex(ids[1]), "17f78e152040417c928cc67387d28faf");
  EXPECT_EQ(hex(ids[2]), "95fbe7ef116059d7ff3b2619bd725161");
}

TEST(StableIds, DependOnNeitherLoaderNorRowsNorOtherContexts) {
  SmallReport small;
  const auto main = small.method("A", "main");
  small.node(small.node(0, main), small.method("B", "b"), 3, 7);
  SmallReport large;
  const auto other = large.method("A", "a");
  const auto b = large.method("B", "b", "()V", "other");
  const auto large_main = large.method("A", "main", "()V", "other");
  large.node(large.node(0, other), b, 9, 9);
  large.node(large.node(0, large_main), b, 3, 7);
  const std::vector<StableId> few = stable_ids(small.model, {});
  const std::vector<StableId> many = stable_ids(large.model, {});
  EXPECT_EQ(few[1], many[3]);
  EXPECT_EQ(few[2], many[4]);
  EXPECT_NE(many[2], many[4]);
}

TEST(StableIds, TellCallSitesApartAsTheRulesSay) {
  SmallReport report;
  const auto a = report.method("A", "a");
  const auto top = report.node(0, a);
  report.node(top, a, 3, 7);
  report.node(top, a, 3, 9);
  report.node(top, a, 4, 9);
  report.node(top, a);
  const auto equal = [&](Sites sites, std::size_t x, std::size_t y) {
    const auto ids = stable_ids(report.model, {sites, Names::kNormalised});
    return ids[x] == ids[y];
  };
  EXPECT_FALSE(equal(Sites::kBytecodeIndex, 2, 3));
  EXPECT_TRUE(equal(Sites::kBytecodeIndex, 3, 4));
  EXPECT_TRUE(equal(Sites::kLine, 2, 3));
  EXPECT_FALSE(equal(Sites::kLine, 3, 4));
  EXPECT_FALSE(equal(Sites::kLine, 2, 5));
  EXPECT_TRUE(equal(Sites::kNone, 2, 4));
  EXPECT_TRUE(equal(Sites::kNone, 2, 5));
}

TEST(StableIds, OfSitesWithoutAnIndexAreThoseOfLines) {
  report::ReportModel::Sites sites{{0, 0, 0}, {-1, 4, -1}, {12, -1, -1}};
  using Kind = SiteKey::Kind;
  EXPECT_EQ(site_key(sites, 0, Sites::kBytecodeIndex), (SiteKey{Kind::kLine, 12}));
  EXPECT_EQ(site_key(sites, 1, Sites::kLine), (SiteKey{Kind::kBytecodeIndex, 4}));
  EXPECT_EQ(site_key(sites, 2, Sites::kLine), (SiteKey{Kind::kUnknown, 0}));
  EXPECT_EQ(site_key(sites, -1, Sites::kLine), SiteKey{});
}

TEST(StableIds, OfLambdasOfOneMethodAreEqualUnlessNamesAreExact) {
  SmallReport report;
  report.node(0, report.method("A", "lambda$f$0"));
  report.node(0, report.method("A", "lambda$f$1"));
  const std::vector<StableId> normal = stable_ids(report.model, {});
  EXPECT_EQ(normal[1], normal[2]);
  const std::vector<StableId> exact = stable_ids(report.model, kExactRules);
  EXPECT_NE(exact[1], exact[2]);
}

TEST(StableIds, OfNumberedClassesAreThoseOfTheirStableNames) {
  SmallReport report;
  const auto first = report.numbered("a.V$1", "~f~0123456789ab", "run");
  const auto second = report.numbered("a.V$7", "~f~0123456789ab", "run");
  const auto other = report.numbered("a.V$2", "~f~ba9876543210", "run");
  const auto written = report.method("a.V$*~f~0123456789ab", "run");
  for (const auto method : {first, second, other, written}) report.node(0, method);
  const std::vector<StableId> ids = stable_ids(report.model, {});
  EXPECT_EQ(ids[1], ids[2]);
  EXPECT_EQ(ids[1], ids[4]) << "a sum's name is its own";
  EXPECT_NE(ids[1], ids[3]);
  const std::vector<StableId> exact = stable_ids(report.model, kExactRules);
  EXPECT_NE(exact[1], exact[2]);
}

TEST(StableIds, OfSwitchesOverEnumsDoNotDependOnOtherSwitches) {
  SmallReport report;
  report.node(0, report.numbered("a.V$1", "~~0123456789ab", "<clinit>"));
  report.node(0, report.numbered("a.V$2", "~~ba9876543210", "<clinit>"));
  report.node(0, report.method("a.V$3", "<clinit>"));
  report.node(0, report.numbered("a.V$4Local", "~f~ba9876543210", "<clinit>"));
  const std::vector<StableId> ids = stable_ids(report.model, {});
  EXPECT_EQ(ids[1], ids[2]);
  EXPECT_EQ(ids[1], ids[3]);
  EXPECT_NE(ids[1], ids[4]);
}

TEST(StableIds, AreMadeOfTreesOfAnyDepth) {
  SmallReport report;
  const auto a = report.method("A", "a");
  constexpr int kDepth = 200'000;
  for (int depth = 0; depth < kDepth; ++depth) report.node(depth, a, 1, 1);
  const std::vector<StableId> ids = stable_ids(report.model, {});
  EXPECT_EQ(ids.size(), kDepth + 1U);
  EXPECT_NE(ids[kDepth], ids[kDepth - 1]);
}

TEST(FindContext, TakesTheFirstDigitsInEitherCase) {
  SmallReport report;
  const auto a = report.method("A", "a");
  report.node(report.node(0, a), a, 3, 7);
  std::string digits = hex(stable_ids(report.model, {})[2]).substr(0, 12);
  for (const bool upper : {false, true}) {
    if (upper) {
      for (char& digit : digits) digit = static_cast<char>(std::toupper(digit));
    }
    const auto rows = find_context(report.model, digits, {});
    ASSERT_TRUE(rows.ok()) << rows.message();
    EXPECT_EQ(*rows, std::vector<std::int32_t>{2});
  }
}

TEST(FindContext, FindsAllRowsOfOneId) {
  SmallReport report;
  report.node(0, report.method("A", "lambda$f$0"));
  report.node(0, report.method("A", "lambda$f$1"));
  const auto rows = find_context(report.model, hex(stable_ids(report.model, {})[1]), {});
  ASSERT_TRUE(rows.ok()) << rows.message();
  EXPECT_EQ(*rows, (std::vector<std::int32_t>{1, 2}));
}

TEST(FindContext, SaysWhatIsWrong) {
  SmallReport report;
  const auto a = report.method("A", "a");
  for (int i = 0; i < 40; ++i) report.node(0, a, 1, i);
  const auto find = [&](const std::string& digits) {
    return find_context(report.model, digits, {});
  };
  EXPECT_FAULT(find("xyz"), kUsage, "xyz: ");
  EXPECT_FAULT(find("0123456789abcdef0123456789abcdef"), kNotFound,
               "0123456789abcdef0123456789abcdef: ");
  const std::string exact = hex(stable_ids(report.model, kExactRules)[1]);
  EXPECT_FAULT(find(exact.substr(0, 11)), kNotFound, exact.substr(0, 11) + ": no context");
  EXPECT_TRUE(find(exact.substr(0, 12)).ok()) << "an id by other rules";
  const StableId second = stable_ids(report.model, {})[2];
  bool is_ambiguous = false;
  for (const char digit : std::string("0123456789abcdef")) {
    is_ambiguous = is_ambiguous || faults::failed_with(faults::status_of(find({digit})),
                                                       Fault::kNotFound, {" contexts "});
  }
  EXPECT_TRUE(is_ambiguous) << hex(second);
  EXPECT_FALSE(find_context(report.model, hex(root_id({})), {}).ok()) << "ROOT is no context";
}

}  // namespace
}  // namespace copse::identity
