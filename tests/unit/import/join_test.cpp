#include "import/join.h"

#include <gtest/gtest.h>

#include "report/exports/json_writer.h"
#include "report/model/json_reader.h"
#include "report/model/model_check.h"
#include "report/text/text_formats.h"
#include "support/expect_fault.h"
#include "support/small_report.h"
#include "support/text_samples.h"

namespace copse::join {
namespace {

using testing::SmallReport;

constexpr std::int32_t kRoot = 0;

// Joins, and sees that the report is still one.
JoinSums join(report::ReportModel& model, std::string_view text) {
  const Result<SampledStacks> stacks = testing::samples_of(text);
  EXPECT_TRUE(stacks.ok());
  const JoinSums sums =
      join_samples(model, *stacks, stacks->shown, measure_name(stacks->values()[stacks->shown]));
  const Status status = report::check_invariants(model);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(sums.samples, sums.in_contexts + sums.outside + sums.unmatched);
  EXPECT_EQ(model.measures.back().lost, sums.unmatched);
  return sums;
}

std::string collapsed(const report::ReportModel& model) {
  report::StringOutput out;
  report::write_collapsed(model, {.lines = true}, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

// main calls work at two lines, b.B.other between them.
SmallReport report_of_work() {
  SmallReport report;
  const std::int32_t main = report.method("a.A", "main");
  const std::int32_t work = report.method("a.A", "work");
  const std::int32_t leaf = report.method("b.B", "leaf");
  const std::int32_t main_row = report.node(kRoot, main);
  const std::int32_t first = report.node(main_row, work, 10, 3, 100);
  report.node(first, leaf, 20, 1, 100);
  const std::int32_t second = report.node(main_row, work, 12, 9, 50);
  report.node(second, leaf, 20, 1, 50);
  report.model.threads.push_back({1, "main", main_row, report.model.totals.calls, 1});
  return report;
}

TEST(Join, AddsSamplesAsOneMoreMeasure) {
  SmallReport report = report_of_work();
  const JoinSums sums =
      join(report.model, "a.A.main:10;a.A.work 7\na.A.main:12;a.A.work:20;b.B.leaf 5\n");
  EXPECT_EQ(sums.measure, "joined_samples");
  EXPECT_EQ(sums.in_contexts, 12u);
  EXPECT_EQ(sums.ambiguous, 0u);
  EXPECT_EQ(report.model.shown, "joined_samples");
  EXPECT_EQ(collapsed(report.model),
            "a.A.main:10;a.A.work 7\na.A.main:12;a.A.work:20;b.B.leaf 5\n");
}

// So that the time of each method, and of what is above, is right all the same.
TEST(Join, KeepsTheMethodsOfASampleWhoseCallSitesAreNotKnown) {
  SmallReport report = report_of_work();
  const JoinSums sums = join(report.model, "a.A.main;a.A.work;b.B.leaf 5\na.A.main;a.A.work 3\n");
  EXPECT_EQ(sums.ambiguous, 8u);
  EXPECT_EQ(collapsed(report.model), "a.A.main;a.A.work 3\na.A.main;a.A.work;b.B.leaf 5\n");
  const report::ReportModel::Nodes& nodes = report.model.nodes;
  EXPECT_EQ(report.model.sites.method, (std::vector<std::int32_t>{0, 0, 0, 1, 1}));
  EXPECT_EQ(report.model.sites.line, (std::vector<std::int32_t>{-1, 10, 12, -1, 20}));
  EXPECT_EQ(nodes.site, (std::vector<std::int32_t>{-1, -1, 0, 3, 1, 4, 2, 4}));
  EXPECT_EQ(nodes.calls, (std::vector<std::uint64_t>{0, 1, 0, 0, 100, 100, 50, 50}));
  EXPECT_EQ(report.model.totals.contexts, 7u);
}

TEST(Join, NamesOverloadsThatASampleDoesNotTellApart) {
  SmallReport report;
  const std::int32_t of_int = report.method("a.A", "f", "(I)V");
  const std::int32_t of_long = report.method("a.A", "f", "(J)V");
  report.node(kRoot, of_int);
  report.node(kRoot, of_long);
  join(report.model, "a.A.f 3\n");
  EXPECT_EQ(report.model.methods.descriptor, (std::vector<std::string>{"", "(I)V", "(J)V"}));
  EXPECT_EQ(report.model.nodes.method, (std::vector<std::int32_t>{-1, 0, 1, 2}));
  EXPECT_EQ(report.model.measures[0].values, (std::vector<std::uint64_t>{0, 3, 0, 0}));
}

TEST(Join, PutsWhatIsOfContextsOfOtherDepthsBelowTheirCommonCaller) {
  SmallReport report;
  const std::int32_t main = report.method("a.A", "main");
  const std::int32_t rec = report.method("a.A", "rec");
  const std::int32_t main_row = report.node(kRoot, main);
  const std::int32_t first = report.node(main_row, rec, 3, 1);
  report.node(first, rec, 4, 1);
  const JoinSums sums = join(report.model, "[unknown_Java];a.A.rec 6\n");
  EXPECT_EQ(sums.ambiguous, 6u);
  EXPECT_EQ(sums.cut, 6u);
  EXPECT_EQ(collapsed(report.model), "a.A.main:3;a.A.rec;(one of several contexts) 6\n");
}

TEST(Join, AddsNoNodesOfEvictedContexts) {
  SmallReport report;
  const std::int32_t evicted = report.method(report::kEvictedClass, report::kEvictedName, "", "");
  const std::int32_t main = report.method("a.A", "main");
  const std::int32_t run = report.method("a.A", "run");
  const std::int32_t main_row = report.node(kRoot, main);
  report.node(report.node(main_row, run, 5, 1), evicted, -1, 0, 3);
  report.node(report.node(main_row, run, 6, 2), evicted, -1, 0, 4);
  report.model.totals.evicted_calls = 7;
  const JoinSums sums =
      join(report.model, "a.A.main;a.A.run;a.A.gone 5\na.A.main:6;a.A.run;a.A.gone 2\n");
  EXPECT_EQ(sums.evicted, 2u);
  EXPECT_EQ(sums.ambiguous, 5u);
  EXPECT_EQ(collapsed(report.model),
            "a.A.main;(one of several contexts) 5\na.A.main:6;a.A.run;(evicted).contexts 2\n");
}

TEST(Join, HasAPlaceForWhatIsOutsideRecordedCode) {
  SmallReport report = report_of_work();
  const JoinSums sums = join(report.model, "[GC tid=1];work_loop 4\njava.lang.Thread.run 2\n");
  EXPECT_EQ(sums.outside, 6u);
  EXPECT_EQ(collapsed(report.model), "(no recorded caller) 6\n");
  EXPECT_EQ(report.model.threads[0].node, 2);  // its method comes first
}

TEST(Join, SharesThePlaceOutsideThatTheReportHas) {
  SmallReport report;
  const std::int32_t outside = report.method("", kOutsideName, "", "");
  const std::int32_t row = report.node(kRoot, outside, -1, 0, 0);
  join(report.model, "java.lang.Thread.run 2\n");
  EXPECT_EQ(report.model.totals.contexts, 1u);
  EXPECT_EQ(report.model.measures[0].values[static_cast<std::size_t>(row)], 2u);
}

TEST(Join, LosesWhatIsUnmatchedAndSaysWhy) {
  SmallReport report = report_of_work();
  const JoinSums sums = join(
      report.model, "a.A.main:11;a.A.work 7\nb.B.leaf 2\na.A.main 1\na.A.main:10;a.A.never 9\n");
  EXPECT_EQ(sums.unmatched, 18u);
  ASSERT_EQ(sums.reasons.size(), 3u);
  EXPECT_EQ(sums.reasons[0].first, "a.A.never: the report has no call of it");
  EXPECT_EQ(sums.reasons[0].second, 9u);
  EXPECT_EQ(
      report.model.notes.front(),
      "joined_samples: another profiler's samples of a run without Copse, 19 samples: 1 sample "
      "in contexts, 0 samples outside recorded code, 18 samples unmatched, which is lost.");
}

TEST(Join, NamesTheTenMostFrequentReasons) {
  SmallReport report = report_of_work();
  std::string text;
  for (int i = 1; i <= 30; ++i) {
    text += "a.A.main;a.A.never" + std::to_string(i) + " " + std::to_string(i) + "\n";
  }
  const JoinSums sums = join(report.model, text);
  ASSERT_EQ(sums.reasons.size(), 10u);
  EXPECT_EQ(sums.reasons.front().second, 30u);
  EXPECT_EQ(sums.reasons.back().second, 21u);
}

TEST(Join, CanBeDoneAgainUnderAnotherName) {
  SmallReport report = report_of_work();
  join(report.model, "a.A.main 1\n");
  EXPECT_FAULT(check_measure_name(report.model, "joined_samples"), kRefused, "joined_samples",
               "--as");
  EXPECT_FALSE(check_measure_name(report.model, "calls").ok());
  EXPECT_FALSE(check_measure_name(report.model, "site").ok());
  EXPECT_FALSE(check_measure_name(report.model, "Not a name").ok());
  EXPECT_TRUE(check_measure_name(report.model, "joined_again").ok());
}

TEST(Join, FindsTheSameContextsWhenItIsDoneAgain) {
  const char* const samples =
      "a.A.main;a.A.work;b.B.leaf 5\na.A.main:10;a.A.work 7\n[unknown_Java];b.B.leaf 2\n"
      "[unknown_Java];a.A.work 4\n";
  SmallReport report = report_of_work();
  const JoinSums once = join(report.model, samples);
  const report::ReportModel::Nodes nodes = report.model.nodes;
  report.model.measures[0].name = "first";
  const JoinSums again = join(report.model, samples);
  EXPECT_EQ(again.ambiguous, 11u);
  EXPECT_EQ(again.ambiguous, once.ambiguous);
  EXPECT_EQ(report.model.measures[0].values, report.model.measures[1].values);
  EXPECT_EQ(report.model.nodes.parent, nodes.parent);
}

TEST(Join, NamesTheMeasureByWhatWasSampled) {
  const auto named = [](std::string unit, std::string stem) {
    SampledStacks::Value value;
    value.unit = std::move(unit);
    value.stem = std::move(stem);
    return measure_name(value);
  };
  EXPECT_EQ(named("ns", "cpu"), "joined_cpu_ns");
  EXPECT_EQ(named("samples", "samples"), "joined_samples");
  EXPECT_EQ(named("bytes", "alloc_space"), "joined_alloc_space_bytes");
  EXPECT_EQ(named("bytes", "alloc_bytes"), "joined_alloc_bytes");
}

TEST(SampledStacks, BecomeTimeWhereTheyDoNotSayWhatTheyStandFor) {
  Result<SampledStacks> stacks = testing::samples_of("a.A.main 3\n");
  ASSERT_TRUE(stacks.ok());
  EXPECT_FAULT(stacks->take_each_for(0, ~std::uint64_t{0} / 2), kLimit);
  ASSERT_TRUE(stacks->take_each_for(0, 1'000).ok());
  EXPECT_EQ(stacks->values()[0].total, 3'000u);
  EXPECT_EQ(measure_name(stacks->values()[0]), "joined_sampled_ns");
  EXPECT_FAULT(stacks->take_each_for(0, 1'000), kRefused, "ns");
}

// A report of two pools that run the same, and of main alone.
SmallReport report_by_thread() {
  SmallReport report;
  const auto thread = [&](const char* name) { return report.method("", name, "", ""); };
  const std::int32_t main = thread("[main]"), http = thread("[http-*]"), mail = thread("[mail-*]");
  const std::int32_t run = report.method("a.A", "run"), work = report.method("a.A", "work");
  const std::int32_t begin = report.method("a.A", "main");
  report.node(report.node(kRoot, main, -1, 0, 0), begin);
  for (const std::int32_t pool : {http, mail}) {
    report.node(report.node(report.node(kRoot, pool, -1, 0, 0), run), work, 5);
  }
  return report;
}

JoinSums join_by_thread(report::ReportModel& model, std::string_view text) {
  const Result<SampledStacks> stacks =
      testing::samples_of(text, {}, FrameReading::kToCompareByThread);
  return join_samples(model, *stacks, stacks->shown, "joined_samples");
}

TEST(Join, FindsTheThreadOfAStackByItsNameOrItsGroups) {
  SmallReport report = report_by_thread();
  const JoinSums sums = join_by_thread(report.model,
                                       "[main tid=12];a.A.main 1\n"
                                       "[http-7 tid=13];java.lang.Thread.run;a.A.run;a.A.work 20\n"
                                       "[http-8];a.A.run;a.A.work 10\n"
                                       "[mail-1 tid=14];a.A.run 300\n"
                                       "[mail-1 tid=14];a.A.main 4000\n");
  EXPECT_EQ(sums.in_contexts, 331u);
  EXPECT_EQ(sums.ambiguous, 0u);
  EXPECT_EQ(sums.unmatched, 4000u);
  EXPECT_EQ(collapsed(report.model),
            "[main];a.A.main 1\n"
            "[http-*];a.A.run:5;a.A.work 30\n"
            "[mail-*];a.A.run 300\n");
}

TEST(Join, FindsTheThreadOfAStackThatIsCut) {
  SmallReport report = report_by_thread();
  const JoinSums sums =
      join_by_thread(report.model,
                     "[http-7 tid=13];a.A.other;[unknown_Java];a.A.work 20\n"
                     "[http-7 tid=13];a.A.other;[unknown_Java];a.A.run;a.A.work 3\n"
                     "[http-7 tid=13];a.A.run 400\n"
                     "[mail-1];[unknown_Java];a.A.work 5000\n"
                     "[main tid=12];[unknown_Java];a.A.work 60000\n"
                     "[renamed];[unknown_Java];a.A.work 700000\n"
                     "[unknown_Java];a.A.main 8000000\n");
  EXPECT_EQ(sums.in_contexts, 8'705'423u);
  EXPECT_EQ(sums.ambiguous, 700'000u) << "the thread is not known";
  EXPECT_EQ(sums.unmatched, 60'000u) << "main never called it";
  const std::string text = collapsed(report.model);
  EXPECT_NE(text.find("[http-*];a.A.run 400\n"
                      "[http-*];a.A.run:5;a.A.work 23\n"
                      "[mail-*];a.A.run:5;a.A.work 5000\n"
                      "[main];a.A.main 8000000\n"),
            std::string::npos)
      << text;
}

TEST(Join, FindsAThreadThatTheSamplesDoNotTellWhereOneAloneFits) {
  SmallReport report = report_by_thread();
  const JoinSums sums = join_by_thread(report.model,
                                       "a.A.main 1\n"
                                       "[renamed tid=9];a.A.main 2\n"
                                       "a.A.run;a.A.work 40\n");
  EXPECT_EQ(sums.in_contexts, 43u);
  EXPECT_EQ(sums.ambiguous, 40u);
  EXPECT_NE(collapsed(report.model).find("[main];a.A.main 3\n"), std::string::npos);
  bool is_said = false;
  for (const std::string& note : report.model.notes) {
    is_said = is_said || note.find("without --by-thread") != std::string::npos;
  }
  EXPECT_TRUE(is_said);
}

TEST(Join, SaysBesideTimesHowManySamplesTheyAreOf) {
  SmallReport report = report_of_work();
  Result<SampledStacks> stacks =
      testing::samples_of("a.A.main;a.A.work 7\njava.lang.Thread.run 1\na.A.none 3\n");
  ASSERT_TRUE(stacks->take_each_for(0, 1'000).ok());
  join_samples(report.model, *stacks, 0, "joined_cpu_ns");
  const report::ReportModel::Measure& time = report.model.measures[0];
  const report::ReportModel::Measure& samples = report.model.measures[1];
  EXPECT_EQ(samples.name, "joined_cpu_samples");
  EXPECT_EQ(samples.lost, 3u);
  EXPECT_EQ(time.lost, 3'000u);
  ASSERT_EQ(time.values.size(), samples.values.size());
  for (std::size_t row = 0; row < time.values.size(); ++row) {
    EXPECT_EQ(time.values[row], 1'000 * samples.values[row]);
  }
  EXPECT_EQ(report.model.shown, "joined_cpu_ns");
}

TEST(Join, SurvivesJson) {
  SmallReport report = report_of_work();
  join(report.model, "a.A.main;a.A.work 7\njava.lang.Thread.run 1\na.A.none 1\n");
  report::StringOutput out;
  report::write_json(report.model, out);
  ASSERT_TRUE(out.finish().ok());
  const Result<report::ReportModel> again = report::read_json(out.text(), "joined");
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(again->measures[0].lost, 1u);
  EXPECT_EQ(collapsed(*again), collapsed(report.model));
}

}  // namespace
}  // namespace copse::join
