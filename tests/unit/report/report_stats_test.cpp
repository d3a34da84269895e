#include "report/model/report_stats.h"

#include <gtest/gtest.h>

#include "support/report_samples.h"

namespace copse::report {
namespace {

// Rows: ROOT, Log.log, Main.main, log, main (upcall), work, work, work, log.
TEST(ReportStats, SumsCallsBelowEachContext) {
  EXPECT_EQ(inclusive_values(testing::demo_model().nodes, testing::demo_model().nodes.calls),
            (std::vector<std::uint64_t>{3018, 7, 3011, 4, 3, 6, 4, 3000, 2000}));
}

TEST(ReportStats, MeasuresSubtreesInRows) {
  EXPECT_EQ(subtree_rows(testing::demo_model().nodes),
            (std::vector<std::uint32_t>{9, 1, 7, 2, 1, 2, 1, 2, 1}));
}

TEST(ReportStats, CountsARecursiveMethodsSubtreeOnce) {
  const ReportModel model = testing::demo_model();
  const std::vector<MethodStats> stats =
      method_stats(model, model.nodes.calls, inclusive_values(model.nodes, model.nodes.calls));
  // main calls log, which calls main again: 3 inner calls are part of the outer 3011.
  EXPECT_EQ(stats[1].exclusive, 4u);
  EXPECT_EQ(stats[1].inclusive, 3011u);
  EXPECT_EQ(stats[1].contexts, 2u);
  EXPECT_EQ(stats[2].inclusive, 3006u);
}

// Values of a measure that has only some of the contexts.
const std::vector<std::uint64_t> kSome = {0, 0, 5, 0, 7, 0, 0, 9, 0};

TEST(ReportStats, AreOfAnyMeasure) {
  const ReportModel model = testing::demo_model();
  const NumberColumn inclusive = inclusive_values(model.nodes, kSome);
  EXPECT_EQ(inclusive, (std::vector<std::uint64_t>{21, 0, 21, 7, 7, 0, 0, 9, 0}));
  const std::vector<MethodStats> stats = method_stats(model, kSome, inclusive);
  EXPECT_EQ(stats[1].exclusive, 12u);
  EXPECT_EQ(stats[1].inclusive, 21u);
  EXPECT_EQ(stats[1].contexts, 2u);
  EXPECT_EQ(stats[0].contexts, 0u);
}

TEST(ReportStats, AreOfSomeContextsWhatTheyAreOfAll) {
  const ReportModel model = testing::demo_model();
  const NumberColumn inclusive = inclusive_values(model.nodes, model.nodes.calls);
  const std::vector<std::int32_t> rows = {7, 0, 2, 2, 4, 8};
  std::vector<std::uint64_t> expected;
  for (const std::int32_t row : rows) expected.push_back(inclusive[static_cast<std::size_t>(row)]);
  EXPECT_EQ(inclusive_at(model.nodes, model.nodes.calls, rows), expected);
  EXPECT_TRUE(inclusive_at(model.nodes, model.nodes.calls, {}).empty());
}

TEST(ReportStats, RanksContextsByTheirOwnCalls) {
  EXPECT_EQ(hottest_contexts(testing::demo_model().nodes.calls, 3),
            (std::vector<std::int32_t>{8, 7, 1}));
  EXPECT_EQ(hottest_contexts(testing::demo_model().nodes.calls, 100).size(), 8u);
  EXPECT_TRUE(hottest_contexts(testing::demo_model().nodes.calls, 0).empty());
  EXPECT_EQ(hottest_contexts(kSome, 100), (std::vector<std::int32_t>{7, 4, 2})) << "none of 0";
}

}  // namespace
}  // namespace copse::report
