#include "report/report_stats.h"

#include <gtest/gtest.h>

#include "report/model_builder.h"
#include "support/report_samples.h"

namespace copse {
namespace {

// Rows: ROOT, Log.log, Main.main, log, main (upcall), work, work, work, log.
ReportModel demo() {
  testing::DemoProgram program = testing::demo_program();
  return std::move(build_model(program.tree, std::move(program.tables))).value();
}

TEST(ReportStats, SumsCallsBelowEachContext) {
  EXPECT_EQ(inclusive_calls(demo().nodes),
            (std::vector<std::uint64_t>{3018, 7, 3011, 4, 3, 6, 4, 3000, 2000}));
}

TEST(ReportStats, MeasuresSubtreesInRows) {
  EXPECT_EQ(subtree_rows(demo().nodes), (std::vector<std::uint32_t>{9, 1, 7, 2, 1, 2, 1, 2, 1}));
}

TEST(ReportStats, CountsARecursiveMethodsSubtreeOnce) {
  const ReportModel model = demo();
  const std::vector<MethodStats> stats = method_stats(model, inclusive_calls(model.nodes));
  // main calls log, which calls main again: 3 inner calls are part of the outer 3011.
  EXPECT_EQ(stats[1].exclusive, 4u);
  EXPECT_EQ(stats[1].inclusive, 3011u);
  EXPECT_EQ(stats[1].contexts, 2u);
  EXPECT_EQ(stats[2].inclusive, 3006u);
}

TEST(ReportStats, CountsCallsBetweenMethods) {
  const std::vector<CallEdge> edges = call_edges(demo().nodes);
  ASSERT_EQ(edges.size(), 7u);
  EXPECT_EQ(edges[0].caller, -1);  // thread entries first
  EXPECT_EQ(edges[0].calls, 7u);
  const CallEdge& work_to_log = edges[5];
  EXPECT_EQ(work_to_log.caller, 2);
  EXPECT_EQ(work_to_log.callee, 0);
  EXPECT_EQ(work_to_log.calls, 2000u);
}

TEST(ReportStats, RanksContextsByTheirOwnCalls) {
  EXPECT_EQ(hottest_contexts(demo().nodes, 3), (std::vector<std::int32_t>{8, 7, 1}));
  EXPECT_EQ(hottest_contexts(demo().nodes, 100).size(), 8u);
  EXPECT_TRUE(hottest_contexts(demo().nodes, 0).empty());
}

}  // namespace
}  // namespace copse
