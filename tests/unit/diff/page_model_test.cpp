#include "compare/diff/writers.h"

#include <gtest/gtest.h>

#include <utility>

#include "support/small_report.h"

namespace copse::diff {
namespace {

using report::ReportModel;

// main, and below it one call of another method; with one measure of a value for each.
ReportModel two_contexts(const char* callee, const char* measure) {
  testing::SmallReport report;
  report.node(0, report.method("p.Main", "main"));
  report.node(1, report.method("p.Dao", callee), 10, 3, 5);
  report.model.measures.push_back({measure, "events", 2, {0, 3, 4}});
  return std::move(report.model);
}

ReportModel page_of(ReportModel old_report, ReportModel new_report) {
  Result<Comparison> comparison =
      compare(std::move(old_report), "a.json", std::move(new_report), "b.json", {});
  EXPECT_TRUE(comparison.ok()) << comparison.message();
  return page_model(std::move(comparison).value());
}

TEST(PageModel, HasOldValuesAsMeasuresBesideTheNewOnes) {
  const ReportModel page =
      page_of(two_contexts("find", "exceptions"), two_contexts("find", "exceptions"));
  ASSERT_TRUE(page.compared.has_value());
  EXPECT_EQ(page.compared->old_name, "a.json");
  EXPECT_EQ(page.compared->new_name, "b.json");
  EXPECT_EQ(page.compared->old_totals.calls, 6U);
  ASSERT_EQ(page.measures.size(), 3U);
  EXPECT_EQ(page.measures[0].name, "exceptions");
  EXPECT_EQ(page.measures[1].name, "old_calls");
  EXPECT_EQ(page.measures[1].values, page.nodes.calls);
  EXPECT_EQ(page.measures[2].name, "old_exceptions");
  EXPECT_EQ(page.measures[2].lost, 2U);
  EXPECT_EQ(page.measures[2].values, page.measures[0].values);
  EXPECT_TRUE(page.compared->only_old.empty());
  EXPECT_TRUE(page.compared->only_new.empty());
}

TEST(PageModel, HasNotesAndThreadsOfBothReports) {
  ReportModel before = two_contexts("find", "exceptions"), now = two_contexts("find", "exceptions");
  before.notes = {"Of the old one."};
  now.notes = {"Of the new one."};
  before.threads = {{1, "main", 1, 6}};
  now.threads = {{7, "other", 1, 6}};
  const ReportModel page = page_of(before, now);
  EXPECT_TRUE(page.notes.empty());
  EXPECT_EQ(page.compared->old_notes, before.notes);
  EXPECT_EQ(page.compared->new_notes, now.notes);
  ASSERT_EQ(page.compared->old_threads.size(), 1U);
  EXPECT_EQ(page.compared->old_threads[0].name, "main");
  EXPECT_EQ(page.compared->old_threads[0].node, 1);
  EXPECT_EQ(page.threads[0].name, "other");
}

TEST(PageModel, TellsMeasuresThatOneReportAloneHas) {
  const ReportModel page =
      page_of(two_contexts("find", "monitor_waits"), two_contexts("find", "exceptions"));
  EXPECT_EQ(page.compared->only_old, std::vector<std::string>{"monitor_waits"});
  EXPECT_EQ(page.compared->only_new, std::vector<std::string>{"exceptions"});
}

}  // namespace
}  // namespace copse::diff
