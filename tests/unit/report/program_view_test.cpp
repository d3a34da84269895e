#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "report/model/measure_view.h"
#include "report/model/output.h"
#include "report/text/text_formats.h"
#include "support/small_report.h"

namespace copse::report {
namespace {

// (threads without recorded calls) 9 ms; main 1 ms -> work 3 ms, which calls a method of that name, 2 ms.
ReportModel timed() {
  testing::SmallReport report;
  const std::int32_t jvm = report.method("", std::string(kThreadsWithoutCalls), "", "");
  const std::int32_t main = report.method("a.A", "main");
  const std::int32_t work = report.method("a.A", "work");
  report.node(0, jvm, -1, 0, 0);
  const std::int32_t outer = report.node(0, main, -1, 0, 1);
  const std::int32_t inner = report.node(outer, work, 5, 1, 10);
  report.node(inner, jvm, 6, 2, 1);
  report.model.measures.push_back(
      {"cpu_ns", "ns", 0, {0, 9'000'000, 1'000'000, 3'000'000, 2'000'000}});
  report.model.shown = "cpu_ns";
  return report.model;
}

std::string text_of(void (*write)(const ReportModel&, Output&)) {
  StringOutput out;
  write(timed(), out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

TEST(ProgramView, IsTheSameOnceTheyAreTakenOut) {
  ReportModel model = timed();
  take_jvm_out(model);
  EXPECT_EQ(model.find_measure("cpu_ns")->values,
            (std::vector<std::uint64_t>{0, 0, 1'000'000, 3'000'000, 2'000'000}));
  EXPECT_EQ(model.notes.back(), "Without 9.00 ms of the JVM's own threads; --all has them.");
}

TEST(ProgramView, LeavesOutTheThreadsWithoutCallsBelowRootAlone) {
  const ReportModel model = timed();
  const ProgramView program(model, shown_measure(model), {});
  EXPECT_EQ(program.jvm(), 9'000'000u);
  EXPECT_EQ(program.view().total, 6'000'000u);
  EXPECT_EQ(*program.view().values,
            (std::vector<std::uint64_t>{0, 0, 1'000'000, 3'000'000, 2'000'000}));
  EXPECT_EQ(shown_measure(model).total, 15'000'000u) << "the report is as it was";
}

TEST(ProgramView, IsTheWholeWhereThereIsNoSuchTime) {
  const ReportModel model = timed();
  const MeasureView calls = view_of_calls(model);
  const ProgramView program(model, calls, {});
  EXPECT_EQ(program.jvm(), 0u);
  EXPECT_EQ(program.view().values, calls.values);
}

TEST(ProgramView, RankingsAndTreesAreOfTheProgramAndTotalsOfAll) {
  const std::string summary = text_of(
      [](const ReportModel& model, Output& out) { write_summary(model, SummaryOptions{}, out); });
  EXPECT_NE(summary.find("15,000,000 in nodes"), std::string::npos) << summary;
  EXPECT_NE(summary.find("program" + std::string(17, ' ') + "6.00 ms"), std::string::npos)
      << summary;
  EXPECT_NE(summary.find("JVM" + std::string(21, ' ') + "9.00 ms"), std::string::npos) << summary;
  const std::size_t rankings = summary.find("Hot methods");
  EXPECT_NE(summary.find("50.0 %", rankings), std::string::npos) << summary;
  EXPECT_EQ(summary.find("60.0 %", rankings), std::string::npos) << summary;
  const std::string tree =
      text_of([](const ReportModel& model, Output& out) { write_tree(model, TreeOptions{}, out); });
  EXPECT_EQ(tree.find("9.00 ms"), tree.rfind("9.00 ms")) << tree;
  EXPECT_NE(
      tree.find("Not in the tree: 9.00 ms of (threads without recorded calls) (--all shows them)."),
      std::string::npos)
      << tree;
}

// [main] 4 ms outside methods -> main 1 ms.
TEST(Rankings, HaveNoThreads) {
  testing::SmallReport report;
  const std::int32_t thread = report.method("", "[main]", "", "");
  const std::int32_t main = report.method("a.A", "main");
  const std::int32_t top = report.node(0, thread, -1, 0, 0);
  report.node(top, main, -1, 0, 1);
  report.model.measures.push_back({"cpu_ns", "ns", 0, {0, 4'000'000, 1'000'000}});
  report.model.shown = "cpu_ns";
  StringOutput out;
  write_summary(report.model, SummaryOptions{}, out);
  EXPECT_TRUE(out.finish().ok());
  const std::string& text = out.text();
  const std::size_t methods = text.find("Hot methods");
  const std::size_t end = text.find("\n\n", methods);
  ASSERT_NE(methods, std::string::npos) << text;
  const std::string ranking = text.substr(methods, end - methods);
  EXPECT_NE(ranking.find("a.A.main"), std::string::npos) << text;
  EXPECT_EQ(ranking.find("[main]"), std::string::npos) << text;
}

}  // namespace
}  // namespace copse::report
