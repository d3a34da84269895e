#include <gtest/gtest.h>

#include <string>

#include "compare/identity/merge.h"
#include "report/exports/json_writer.h"
#include "report/model/json_reader.h"
#include "support/expect_fault.h"
#include "support/small_report.h"

namespace copse::identity {
namespace {

using report::ReportModel;
using testing::SmallReport;

std::string json(const ReportModel& model) {
  report::StringOutput out;
  report::write_json(model, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

Status refusal(const ReportModel& a, const ReportModel& b) {
  Merge merge({});
  EXPECT_TRUE(merge.add(a, "a").ok());
  const Status status = merge.add(b, "b");
  const ReportModel left = merge.take();
  EXPECT_EQ(left.totals.calls, a.totals.calls) << "the sum is what it was";
  return status;
}

ReportModel report_with(const std::string& measure, const std::string& unit, std::uint64_t value) {
  SmallReport report;
  report.node(0, report.method("A", "a"));
  report.model.measures.push_back({measure, unit, 1, {0, value}});
  report.model.shown = measure;
  return report.model;
}

TEST(Merge, OfOneReportIsThatReport) {
  SmallReport report;
  const auto a = report.method("A", "a");
  const auto b = report.method("B", "lambda$b$3");
  report.node(report.node(0, a), b, 12, 5, 7);
  report.model.totals.max_depth = 2;
  Merge merge({});
  ASSERT_TRUE(merge.add(report.model, "a").ok());
  EXPECT_EQ(json(merge.take()), json(report.model));
}

TEST(Merge, AddsMeasuresOfThreadsByNameAndHasNoTimeLine) {
  const auto with_threads = [](std::vector<report::ReportModel::Thread> threads,
                               std::vector<std::uint64_t> amounts) {
    ReportModel model = report_with("cpu_ns", "ns", 60);
    model.threads = std::move(threads);
    model.measures[0].of_threads = std::move(amounts);
    model.timeline = {100, {60}, {0}, {0}, {0}};
    return model;
  };
  const ReportModel a =
      with_threads({{1, "main", 1, 1, 1}, {0, "other threads: 2", -1, 0, 2}}, {10, 20});
  const ReportModel b = with_threads(
      {{7, "job", 1, 1, 1}, {1, "main", 1, 0, 1}, {0, "other threads: 3", -1, 0, 3}}, {1, 2, 3});
  Merge merge({});
  ASSERT_TRUE(merge.add(a, "a").ok());
  ASSERT_TRUE(merge.add(b, "b").ok());
  const ReportModel sum = merge.take();
  ASSERT_EQ(sum.threads.size(), 3u);
  EXPECT_EQ(sum.threads[0].name, "job");
  EXPECT_EQ(sum.threads[2].name, "other threads: 5");
  EXPECT_EQ(sum.measures[0].of_threads, (std::vector<std::uint64_t>{1, 12, 23}));
  EXPECT_EQ(sum.timeline.step_ms, 0u) << "runs have no common time";
  Merge unknown({});
  ASSERT_TRUE(unknown.add(a, "a").ok());
  ASSERT_TRUE(unknown.add(with_threads(b.threads, {}), "b").ok());
  EXPECT_TRUE(unknown.take().measures[0].of_threads.empty());
}

TEST(Merge, AddsContextsAndKeepsWhatOnlyOneHas) {
  SmallReport one;
  const auto a = one.method("A", "a");
  one.node(one.node(0, a, -1, 0, 2), one.method("C", "c"), 3, 7, 5);
  SmallReport two;
  const auto other_a = two.method("A", "a", "()V", "other");
  const auto top = two.node(0, other_a, -1, 0, 10);
  two.node(top, two.method("B", "b"), 4, 9, 1);
  two.node(top, two.method("C", "c"), 5, 7, 20);
  Merge merge({});
  ASSERT_TRUE(merge.add(one.model, "one").ok());
  ASSERT_TRUE(merge.add(two.model, "two").ok());
  const ReportModel sum = merge.take();
  EXPECT_EQ(sum.methods.class_name, (std::vector<std::string>{"A", "B", "C"}));
  EXPECT_EQ(sum.methods.loader[0], "") << "it differs";
  EXPECT_EQ(sum.nodes.parent, (std::vector<std::int32_t>{-1, 0, 1, 1}));
  EXPECT_EQ(sum.nodes.calls, (std::vector<std::uint64_t>{0, 12, 1, 25}));
  EXPECT_EQ(sum.sites.line, (std::vector<std::int32_t>{-1, 4})) << "the line of one site differs";
  EXPECT_EQ(sum.totals.calls_seen, 38U);
  EXPECT_EQ(sum.merged.reports, 2U);
  EXPECT_EQ(sum.merged.names, (std::vector<std::string>{"one", "two"}));
}

TEST(Merge, NamesWhatDiffersInNumbersByTheNormalName) {
  SmallReport one, two;
  one.node(0, one.method("A", "lambda$f$1"));
  two.node(0, two.method("A", "lambda$f$2"));
  Merge merge({});
  ASSERT_TRUE(merge.add(one.model, "one").ok());
  ASSERT_TRUE(merge.add(two.model, "two").ok());
  EXPECT_EQ(merge.take().methods.name, (std::vector<std::string>{"lambda$f$*"}));
}

TEST(Merge, AddsNumberedClassesOfOneStableName) {
  SmallReport one, two;
  one.node(0, one.numbered("a.V$1", "~f~000000000001", "run"), -1, 0, 3);
  one.node(0, one.numbered("a.V$2", "~f~000000000002", "run"), -1, 0, 5);
  two.node(0, two.numbered("a.V$1", "~f~000000000003", "run"), -1, 0, 7);
  two.node(0, two.numbered("a.V$2", "~f~000000000001", "run"), -1, 0, 30);
  two.node(0, two.numbered("a.V$3", "~f~000000000002", "run"), -1, 0, 50);
  Merge merge({});
  ASSERT_TRUE(merge.add(one.model, "one").ok());
  ASSERT_TRUE(merge.add(two.model, "two").ok());
  const ReportModel sum = merge.take();
  EXPECT_EQ(sum.methods.class_name,
            (std::vector<std::string>{"a.V$*~f~000000000001", "a.V$*~f~000000000002", "a.V$1"}));
  EXPECT_EQ(sum.nodes.calls, (std::vector<std::uint64_t>{0, 33, 55, 7}));
}

TEST(Merge, SaysWhichReportsLackAMeasure) {
  Merge merge({});
  ASSERT_TRUE(merge.add(report_with("cpu_ns", "ns", 7), "a").ok());
  ASSERT_TRUE(merge.add(report_with("contended_ns", "ns", 5), "b").ok());
  const ReportModel sum = merge.take();
  ASSERT_EQ(sum.measures.size(), 2U);
  EXPECT_EQ(sum.measures[1].values[1], 7U);
  EXPECT_EQ(sum.shown, "calls");
  EXPECT_EQ(sum.notes,
            (std::vector<std::string>{"Not all of the merged reports have counted contended_ns.",
                                      "Not all of the merged reports have counted cpu_ns.",
                                      "The merged reports are shown by different measures."}));
}

TEST(Merge, RefusesWhatDoesNotAddUp) {
  EXPECT_FAULT(refusal(report_with("cpu", "ns", 7), report_with("cpu", "us", 7)), kRefused,
               "cpu: ", " us", " ns");
  ReportModel marked = report_with("cpu", "ns", 7);
  marked.totals.calls_of = report::kMarkedMethods;
  EXPECT_FAULT(refusal(report_with("cpu", "ns", 7), marked), kRefused, "marked methods");
  EXPECT_FAULT(refusal(report_with("cpu", "ns", ~0ULL), report_with("cpu", "ns", 1)), kLimit,
               "cpu: ");
  ReportModel summed = report_with("cpu", "ns", 7);
  summed.merged = {2, {"x", "y"}, "copse.context/1 sites=none names=normalised"};
  EXPECT_FAULT(refusal(report_with("cpu", "ns", 7), summed), kRefused,
               "copse.context/1 sites=none names=normalised");
}

TEST(Merge, OfTreesOfAnyDepthDoesNotRecurse) {
  SmallReport report;
  const auto a = report.method("A", "a");
  constexpr int kDepth = 100'000;
  for (int depth = 0; depth < kDepth; ++depth) report.node(depth, a);
  Merge merge({});
  ASSERT_TRUE(merge.add(report.model, "a").ok());
  ASSERT_TRUE(merge.add(report.model, "b").ok());
  EXPECT_EQ(merge.take().totals.max_depth, static_cast<std::uint64_t>(kDepth));
}

}  // namespace
}  // namespace copse::identity
