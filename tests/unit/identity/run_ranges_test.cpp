#include "compare/identity/run_ranges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compare/identity/merge.h"
#include "report/exports/json_writer.h"
#include "report/model/json_reader.h"
#include "report/model/model_check.h"
#include "support/small_report.h"

namespace copse::identity {
namespace {

using report::ReportModel;
using testing::SmallReport;
using Values = NumberColumn;

std::string json_of(const ReportModel& model) {
  report::StringOutput out;
  report::write_json(model, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

Values column_of(const ReportModel& model, const std::string& name) {
  for (const ReportModel::Measure& of : model.measures) {
    if (of.name == name) return of.values;
  }
  ADD_FAILURE() << "no measure " << name;
  return {};
}

bool has_column(const ReportModel& model, const std::string& name) {
  for (const ReportModel::Measure& of : model.measures) {
    if (of.name == name) return true;
  }
  return false;
}

// A.a calls B.b, so often, and where `also` is set C.c.
ReportModel run_of(std::uint64_t calls, bool also = false, const std::string& thread = "main") {
  SmallReport made;
  const auto a = made.method("A", "a"), b = made.method("B", "b"), c = made.method("C", "c");
  const auto top = made.node(0, a);
  made.node(top, b, 3, 7, calls);
  if (also) made.node(top, c, 4, 9, 1);
  made.model.threads.push_back({1, thread, top, made.model.totals.calls, 1});
  made.model.totals.max_depth = 2;
  return made.model;
}

TEST(RunRanges, OfOneRunIsItsReport) {
  RunRanges ranges;
  ranges.add(run_of(5, true));
  EXPECT_EQ(json_of(ranges.take()), json_of(run_of(5, true)));
}

TEST(RunRanges, KeepTheFirstRunAndWhatEachContextHadLeastAndMost) {
  RunRanges ranges;
  for (const std::uint64_t calls : {5, 3, 9}) ranges.add(run_of(calls));
  EXPECT_EQ(ranges.differing_contexts(), 1U);
  const ReportModel model = ranges.take();
  EXPECT_TRUE(report::check_invariants(model).ok());
  EXPECT_EQ(model.program.runs, 3U);
  EXPECT_EQ(model.shown, "calls");
  EXPECT_EQ(model.nodes.calls, (Values{0, 1, 5}));
  EXPECT_EQ(column_of(model, "least_calls"), (Values{0, 1, 3}));
  EXPECT_EQ(column_of(model, "greatest_calls"), (Values{0, 1, 9}));
  EXPECT_EQ(model.totals.calls_seen, 6U) << "the first run's";
  EXPECT_EQ(json_of(report::read_json(json_of(model), "runs").value()), json_of(model));
}

TEST(RunRanges, HaveContextsOfOtherRunsWithNoCalls) {
  RunRanges ranges;
  ranges.add(run_of(5));
  ranges.add(run_of(5, true));
  ranges.add(run_of(5));
  const ReportModel model = ranges.take();
  EXPECT_TRUE(report::check_invariants(model).ok());
  EXPECT_EQ(model.totals.contexts, 3U);
  EXPECT_EQ(model.nodes.calls, (Values{0, 1, 5, 0}));
  EXPECT_EQ(column_of(model, "least_calls"), (Values{0, 1, 5, 0}));
  EXPECT_EQ(column_of(model, "greatest_calls"), (Values{0, 1, 5, 1}));
}

TEST(RunRanges, NameTheTopmostContextsThatDifferAndTheirThreads) {
  RunRanges ranges;
  ranges.add(run_of(5));
  ranges.add(run_of(1'007, true, "pool-1"));
  const ReportModel model = ranges.take();
  ASSERT_EQ(model.notes.size(), 1U);
  EXPECT_EQ(model.notes[0],
            "The 2 runs differ in the calls of 2 of 3 contexts, topmost in: "
            "B.b <- A.a:3 (5 to 1,007 calls, threads main, pool-1); "
            "C.c <- A.a:4 (0 to 1 call, threads main, pool-1).");
  ASSERT_EQ(model.threads.size(), 1U);
  EXPECT_EQ(model.threads[0].name, "main") << "the first run's";
}

TEST(RunRanges, OfEqualRunsSayNothing) {
  RunRanges ranges;
  ranges.add(run_of(5));
  ranges.add(run_of(5));
  EXPECT_EQ(ranges.differing_contexts(), 0U);
  EXPECT_TRUE(ranges.take().notes.empty());
}

TEST(RunRanges, AreOfEveryMeasureThatAllRunsHave) {
  const auto with = [](const std::vector<std::pair<std::string, std::uint64_t>>& measures) {
    ReportModel model = run_of(5);
    for (const auto& [name, value] : measures) {
      model.measures.push_back({name, "ns", value, {0, 0, value}});
    }
    model.shown = "cpu_ns";
    return model;
  };
  RunRanges ranges;
  ranges.add(with({{"cpu_ns", 7}, {"contended_ns", 1}}));
  ranges.add(with({{"cpu_ns", 4}}));
  const ReportModel model = ranges.take();
  EXPECT_TRUE(report::check_invariants(model).ok());
  EXPECT_EQ(column_of(model, "cpu_ns"), (Values{0, 0, 7}));
  EXPECT_EQ(column_of(model, "least_cpu_ns"), (Values{0, 0, 4}));
  EXPECT_EQ(column_of(model, "greatest_cpu_ns"), (Values{0, 0, 7}));
  EXPECT_EQ(column_of(model, "contended_ns"), (Values{0, 0, 1}));
  EXPECT_FALSE(has_column(model, "least_contended_ns")) << "a run lacks it";
  EXPECT_EQ(model.shown, "cpu_ns");
  std::map<std::string, std::uint64_t> lost;
  for (const ReportModel::Measure& of : model.measures) lost[of.name] = of.lost;
  EXPECT_EQ(lost["cpu_ns"], 7U) << "the first run's";
  EXPECT_EQ(lost["least_cpu_ns"], 4U);
  EXPECT_EQ(lost["greatest_cpu_ns"], 7U);
}

ReportModel ranges_of(const std::vector<ReportModel>& runs) {
  RunRanges ranges;
  for (const ReportModel& run : runs) ranges.add(run);
  return ranges.take();
}

ReportModel sum_of(const ReportModel& a, const ReportModel& b) {
  Merge merge(IdRules{});
  EXPECT_TRUE(merge.add(a, "a").ok());
  EXPECT_TRUE(merge.add(b, "b").ok());
  return merge.take();
}

ReportModel with_waits(ReportModel model, std::uint64_t waits) {
  model.measures.push_back({"waits", "events", 0, {0, 0, waits}});
  return model;
}

TEST(RunRanges, OfReportsOfAsManyRunsAddUp) {
  const ReportModel sum =
      sum_of(ranges_of({run_of(5), run_of(3)}), ranges_of({run_of(10), run_of(40)}));
  EXPECT_EQ(sum.program.runs, 2U);
  EXPECT_EQ(sum.nodes.calls, (Values{0, 2, 15}));
  EXPECT_EQ(column_of(sum, "least_calls"), (Values{0, 2, 13}));
  EXPECT_EQ(column_of(sum, "greatest_calls"), (Values{0, 2, 45}));
}

TEST(RunRanges, OfReportsOfOtherNumbersOfRunsAreLeftOutOfTheSumWhichSaysSo) {
  const ReportModel two = ranges_of({run_of(5), run_of(3)});
  for (const ReportModel& other :
       {run_of(1), ranges_of({run_of(1), run_of(2), run_of(2)}), sum_of(two, run_of(1))}) {
    const ReportModel sum = sum_of(two, other);
    EXPECT_EQ(sum.program.runs, 1U);
    EXPECT_TRUE(sum.measures.empty());
    EXPECT_NE(sum.notes.end(),
              std::find_if(sum.notes.begin(), sum.notes.end(), [](const std::string& note) {
                return note.find("least and most") != note.npos;
              }));
  }
  EXPECT_TRUE(sum_of(run_of(1), run_of(2)).notes.empty());
}

TEST(RunRanges, OfAMeasureThatAReportHasWithoutThemAreLeftOutOfTheSum) {
  const ReportModel with = ranges_of({with_waits(run_of(5), 4), with_waits(run_of(5), 6)});
  const ReportModel without = ranges_of({with_waits(run_of(5), 4), run_of(5)});
  ASSERT_FALSE(has_column(without, "least_waits"));
  const ReportModel sum = sum_of(with, without);
  EXPECT_EQ(column_of(sum, "waits"), (Values{0, 0, 8}));
  EXPECT_FALSE(has_column(sum, "least_waits"));
  EXPECT_FALSE(has_column(sum, "greatest_waits"));
  EXPECT_EQ(column_of(sum, "least_calls"), (Values{0, 2, 10}));
  // Nothing of the measure is no range of it.
  const ReportModel none = sum_of(with, ranges_of({run_of(5), run_of(5)}));
  EXPECT_EQ(column_of(none, "least_waits"), (Values{0, 0, 4}));
}

TEST(RunRanges, AreTakenForMeasuresOfTheirOwnInAReportOfOneRun) {
  ReportModel odd = run_of(5);
  odd.measures.push_back({"least_calls", "calls", 0, {0, 1, 1}});
  EXPECT_FALSE(drop_ranges(odd));
  EXPECT_TRUE(has_column(odd, "least_calls"));
  ReportModel two = ranges_of({with_waits(run_of(5), 4), with_waits(run_of(3), 6)});
  EXPECT_TRUE(drop_ranges(two));
  EXPECT_EQ(two.program.runs, 1U);
  ASSERT_EQ(two.measures.size(), 1U);
  EXPECT_EQ(two.measures[0].name, "waits");
}

}  // namespace
}  // namespace copse::identity
