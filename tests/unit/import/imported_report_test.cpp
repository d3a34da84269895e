#include "import/imported_report.h"

#include <gtest/gtest.h>

#include "report/exports/tool_formats.h"
#include "report/model/model_check.h"
#include "report/text/text_formats.h"
#include "support/report_samples.h"
#include "support/text_samples.h"

namespace copse::join {
namespace {

using report::ReportModel;
using testing::samples_of;

ReportModel imported(std::string_view text, const std::string& counts_are = "",
                     const JfrReading& jfr = {}) {
  const Result<SampledStacks> stacks = samples_of(text, jfr, FrameReading::kAll);
  EXPECT_TRUE(stacks.ok()) << stacks.message();
  Result<ReportModel> model = imported_report(*stacks, "file", counts_are);
  EXPECT_TRUE(model.ok()) << model.message();
  return std::move(model).value();
}

std::string collapsed_of(const ReportModel& model, bool has_lines = true) {
  report::StringOutput out;
  report::CollapsedOptions options;
  options.lines = has_lines;
  report::write_collapsed(model, options, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

std::string pprof(const ReportModel& model) {
  report::StringOutput out;
  EXPECT_TRUE(write_pprof(model, {}, out).ok());
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

TEST(ImportedReport, OfCollapsedStacksCountsSamplesAndNoCalls) {
  const ReportModel model = imported("a.B.main:3;a.B.run 5\na.B.main 1\na.B.main:3;a.B.run 2\n");
  EXPECT_EQ(collapsed_of(model), "a.B.main 1\na.B.main:3;a.B.run 7\n");
  EXPECT_EQ(model.totals.calls_seen, 0u);
  ASSERT_EQ(model.measures.size(), 1u);
  EXPECT_EQ(model.measures[0].name, "samples");
  EXPECT_EQ(model.measures[0].unit, "samples");
  EXPECT_EQ(model.shown, "samples");
  EXPECT_EQ(model.program.command, std::vector<std::string>{"imported from file"});
  EXPECT_EQ(model.notes, std::vector<std::string>{
                             "Imported from file, collapsed stacks: no calls were counted."});
}

TEST(ImportedReport, CountsWhatTheStacksAreSaidToCount) {
  const ReportModel calls = imported("a.B.main 1\na.B.main:3;a.B.run 5\n", "calls");
  EXPECT_EQ(calls.totals.calls_seen, 6u);
  EXPECT_TRUE(calls.measures.empty());
  EXPECT_EQ(collapsed_of(calls), "a.B.main 1\na.B.main:3;a.B.run 5\n");
  const ReportModel time = imported("a.B.main 1\n", "wait_ns");
  EXPECT_EQ(time.measures[0].name, "wait_ns");
  EXPECT_EQ(time.measures[0].unit, "ns");
}

TEST(ImportedReport, KeepsFramesOfEveryKind) {
  const std::string text =
      "[main tid=3];start_thread;a.B.main;futex_[k] 2\n[main tid=3];[unknown_Java];a.B.run 1\n";
  EXPECT_EQ(
      collapsed_of(imported(text)),
      "[main tid=3];[unknown_Java];a.B.run 1\n[main tid=3];start_thread;a.B.main;futex_[k] 2\n");
}

// The line where a frame continues later is no part of a context: main at line 3 and at line 4 is one.
TEST(ImportedReport, HasACallerOnceWhateverItsLines) {
  const ReportModel model =
      imported("a.B.main:4;a.B.run 1\na.B.main:3;a.B.run 2\na.B.main;a.B.run 3\n");
  EXPECT_EQ(model.totals.contexts, 4u);
  EXPECT_EQ(collapsed_of(model),
            "a.B.main;a.B.run 3\na.B.main:3;a.B.run 2\na.B.main:4;a.B.run 1\n");
  EXPECT_EQ(model.totals.max_depth, 2u);
}

TEST(ImportedReport, OfAProfileOfCopseHasItsCallsBack) {
  ReportModel model = testing::demo_model();
  model.measures.push_back({"cpu_ns", "ns", 7, {0, 1, 2, 3, 4, 5, 6, 7, 8}});
  model.measures.push_back({"allocated_bytes", "bytes (estimate)", 0, {0, 1, 0, 0, 0, 0, 0, 0, 1}});
  model.measures.push_back({"exceptions", "events", 0, {0, 0, 0, 0, 0, 0, 0, 0, 0}});
  model.totals.calls_of = report::kMarkedMethods;
  model.notes = {"recursion was merged"};
  const ReportModel again = imported(pprof(model));
  EXPECT_EQ(collapsed_of(again), collapsed_of(model));
  EXPECT_EQ(again.nodes.calls, model.nodes.calls);
  EXPECT_EQ(again.methods.descriptor, model.methods.descriptor);
  EXPECT_EQ(again.methods.source, model.methods.source);
  EXPECT_EQ(again.totals.calls_lost, model.totals.calls_lost);
  EXPECT_EQ(again.totals.calls_of, model.totals.calls_of);
  EXPECT_EQ(again.program.started, model.program.started);
  EXPECT_EQ(again.program.wall_ms, model.program.wall_ms);
  ASSERT_EQ(again.measures.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(again.measures[i].name, model.measures[i].name);
    EXPECT_EQ(again.measures[i].unit, model.measures[i].unit);
    EXPECT_EQ(again.measures[i].lost, model.measures[i].lost);
    EXPECT_EQ(again.measures[i].values, model.measures[i].values);
  }
  EXPECT_EQ(again.shown, model.shown);
  EXPECT_EQ(again.notes.back(), "recursion was merged");
}

TEST(ImportedReport, OfAProfileOfAnotherToolHasNoCallsEvenIfItSaysSo) {
  ReportModel model = testing::demo_model();
  model.created_by = "another tool";
  const ReportModel again = imported(pprof(model));
  EXPECT_EQ(again.totals.calls_seen, 0u);
  ASSERT_EQ(again.measures.size(), 1u);
  EXPECT_EQ(again.measures[0].name, "imported_calls");
  EXPECT_EQ(again.notes.back(), "The profile says: calls lost: 2");
}

TEST(ImportedReport, OfAFlightRecordingSaysWhichStacksWereCut) {
  const auto event = [](const char* trace) {
    return std::string(R"({"type": "jdk.ExecutionSample", "values": {"stackTrace": )") + trace +
           "}}";
  };
  const std::string frame =
      R"({"method": {"type": {"name": "a/B"}, "name": "run", "descriptor": "()V"}, "lineNumber": 3, "bytecodeIndex": 1})";
  const std::string text =
      R"({"recording": {"events": [)" +
      event((R"({"truncated": true, "frames": [)" + frame + "," + frame + "]}").c_str()) + "," +
      event((R"({"truncated": false, "frames": [)" + frame + "]}").c_str()) + "," + event("null") +
      "]}}";
  const ReportModel model = imported(text, "", {{}, true});
  EXPECT_EQ(collapsed_of(model),
            "(no recorded caller) 1\n(outer frames missing);a.B.run:3;a.B.run 1\na.B.run 1\n");
  EXPECT_EQ(model.methods.descriptor.back(), "()V");
  EXPECT_EQ(model.sites.bci, std::vector<std::int32_t>{1});
  ASSERT_GE(model.notes.size(), 2u);
  EXPECT_EQ(
      model.notes[model.notes.size() - 2],
      "What is in (outer frames missing) is of stacks that the profiler cut: they do not begin "
      "where the thread did.");
  EXPECT_EQ(model.notes.back(), "What is in (no recorded caller) had no stack.");
}

// The demo's nodes with these measures, written as pprof by somebody else.
std::string profile_of_another_tool(const std::vector<ReportModel::Measure>& measures) {
  ReportModel model = testing::demo_model();
  model.created_by = "another tool";
  model.measures = measures;
  return pprof(model);
}

std::vector<std::string> names_of_measures(const ReportModel& model) {
  std::vector<std::string> names;
  for (const ReportModel::Measure& measure : model.measures) names.push_back(measure.name);
  return names;
}

TEST(ImportedReport, HasTheSamplesOfATimeUnderTheNameThatReportsHaveForThem) {
  using Names = std::vector<std::string>;
  const std::vector<std::uint64_t> counts = {0, 1, 0, 3, 0, 0, 2, 0, 0};
  const std::vector<std::uint64_t> times = {0, 10, 0, 30, 0, 0, 20, 0, 0};
  const ReportModel one = imported(
      profile_of_another_tool({{"samples", "samples", 0, counts}, {"cpu_ns", "ns", 0, times}}));
  EXPECT_EQ(names_of_measures(one), (Names{"imported_calls", "cpu_samples", "cpu_ns"}));
  const ReportModel two = imported(profile_of_another_tool({{"cpu_ns", "ns", 0, times},
                                                            {"wall_ns", "ns", 0, times},
                                                            {"samples", "samples", 0, counts}}));
  EXPECT_EQ(names_of_measures(two), (Names{"imported_calls", "cpu_ns", "cpu_samples", "wall_ns",
                                           "wall_samples", "samples"}));
  EXPECT_EQ(two.measures[2].values, two.measures[5].values);
  EXPECT_EQ(two.measures[2].unit, "samples");
  // Without a value of this name, it is not known what another value's counts are of.
  const ReportModel none = imported(
      profile_of_another_tool({{"events", "events", 0, counts}, {"cpu_ns", "ns", 0, times}}));
  EXPECT_EQ(names_of_measures(none), (Names{"imported_calls", "events", "cpu_ns"}));
}

TEST(ImportedReport, OfAFlightRecordingHasTheSamplesOfItsTimes) {
  const std::string text = R"({"recording": {"events": [
      {"type": "jdk.CPUTimeSample", "values": {"samplingPeriod": "PT0.02S", "stackTrace":
        {"truncated": false, "frames": [{"method": {"type": {"name": "a/B"}, "name": "run",
         "descriptor": "()V"}, "lineNumber": 3, "bytecodeIndex": 1}]}}},
      {"type": "jdk.CPUTimeSample", "values": {"samplingPeriod": "PT0.01S", "stackTrace": null}}]}})";
  const ReportModel model = imported(text, "", {{}, true});
  ASSERT_EQ(names_of_measures(model), (std::vector<std::string>{"cpu_ns", "cpu_samples"}));
  EXPECT_EQ(model.measures[0].values, (std::vector<std::uint64_t>{0, 10'000'000, 20'000'000}));
  EXPECT_EQ(model.measures[1].values, (std::vector<std::uint64_t>{0, 1, 1}));
  EXPECT_EQ(model.shown, "cpu_ns");
}

TEST(ImportedReport, TakesStacksOfAnyDepth) {
  std::string line;
  for (int i = 0; i < 100'000; ++i)
    line += "a.B.m" + std::to_string(i % 7) + ":" + std::to_string(i % 50) + ";";
  const ReportModel model = imported(line + "a.B.end 5\n" + line + "a.B.other 6\n", "calls");
  EXPECT_EQ(model.totals.contexts, 100'002u);
  EXPECT_EQ(model.totals.max_depth, 100'001u);
  EXPECT_EQ(model.totals.calls, 11u);
}

// Kotlin's names may have blanks, and numbers behind them; imported ones may be anything.
TEST(ImportedReport, OfCollapsedStacksOfCopseHasEveryNameBack) {
  const std::vector<std::string> names = {"sum of 2",
                                          "f 3",
                                          "f -3",
                                          "f 3.5",
                                          "f 1e3",
                                          "f 3 5",
                                          "f  3",
                                          " f",
                                          "f ",
                                          " ",
                                          "#",
                                          "# f",
                                          "#f",
                                          "\xef\xbb\xbf"
                                          "f",
                                          "f\t3",
                                          "f;3",
                                          "f\\u00203",
                                          "two words",
                                          "[worker 3]",
                                          "3",
                                          "-"};
  ReportModel model = testing::demo_model();
  for (std::size_t row = 0; row < model.methods.name.size(); ++row) {
    model.methods.class_name[row] = "";
  }
  for (const std::string& outermost : names) {
    for (const std::string& innermost : names) {
      for (std::size_t row = 0; row < model.methods.name.size(); ++row) {
        model.methods.name[row] = row % 2 == 0 ? outermost : innermost;
      }
      const std::string text = collapsed_of(model, false);
      const ReportModel again = imported(text, "calls");
      EXPECT_EQ(again.totals.calls, model.totals.calls) << text;
      const std::string text_again = collapsed_of(again, false);
      EXPECT_EQ(collapsed_of(imported(text_again, "calls"), false), text_again);
      for (const std::string& name : again.methods.name) {
        EXPECT_TRUE(name == outermost || name == innermost) << "'" << name << "' of\n" << text;
      }
    }
  }
}

TEST(ImportedReport, SaysWhatHadNoNameAndWhatTheFileLacks) {
  const ReportModel model = imported("a.B.main;;a.B.run 1\n");
  EXPECT_EQ(collapsed_of(model), "a.B.main;(unnamed);a.B.run 1\n");
  EXPECT_NE(model.notes.back().find(kUnnamedFrame), std::string::npos) << model.notes.back();
  Result<SampledStacks> stacks = samples_of("a.B.main 1\n", {}, FrameReading::kAll);
  ASSERT_TRUE(stacks.ok());
  stacks->origin.notes = {"It lacks something."};
  EXPECT_EQ(imported_report(*stacks, "file", "")->notes.back(), "It lacks something.");
}

TEST(ImportedReport, HasTextThatCanBeWritten) {
  const ReportModel model = imported("a.B.\xff\xfe 1\n[\xc0] 1\n");
  EXPECT_EQ(collapsed_of(model), "[\xef\xbf\xbd] 1\na.B.\xef\xbf\xbd\xef\xbf\xbd 1\n");
}

}  // namespace
}  // namespace copse::join
