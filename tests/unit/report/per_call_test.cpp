#include "report/model/per_call.h"

#include <gtest/gtest.h>

#include <cmath>

#include "report/model/model_builder.h"
#include "report/part/cut.h"
#include "report/text/text_formats.h"
#include "support/report_samples.h"

namespace copse::report {
namespace {

struct Column {
  std::string name, unit;
  std::vector<std::uint64_t> values;  // by node of the sample
};

ReportModel demo(const std::vector<Column>& columns) {
  testing::DemoProgram program = testing::demo_program();
  for (const Column& column : columns) {
    program.tables.measures.push_back({column.name, column.unit, 0, column.values});
  }
  ReportModel model = std::move(build_model(program.tree, std::move(program.tables))).value();
  model.shown = columns.front().name;
  return model;
}

std::string summary(const ReportModel& model, std::size_t width = 100) {
  SummaryOptions options;
  options.width = width;
  StringOutput out;
  write_summary(model, options, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

// The row of a ranking that ends so, blanks between its columns as one.
std::string row_of(const std::string& text, const std::string& name) {
  const std::size_t end = text.find("  " + name + "\n");
  if (end == std::string::npos) return "no row of " + name + " in\n" + text;
  std::string row;
  for (const char c : text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end) - 1)) {
    if (c != ' ' || (!row.empty() && row.back() != ' ')) row += c;
  }
  return row;
}

TEST(SamplingError, IsThatOfAPoissonCount) {
  EXPECT_DOUBLE_EQ(sampling_error(1), 1);
  EXPECT_DOUBLE_EQ(sampling_error(4), 0.5);
  EXPECT_NEAR(sampling_error(kEnoughSamples), 0.316, 0.001);
  EXPECT_DOUBLE_EQ(sampling_error(10'000), 0.01);
  EXPECT_TRUE(std::isinf(sampling_error(0)));
}

TEST(PerCall, KnowsWhatCountsTheSamplesOfAMeasure) {
  EXPECT_EQ(samples_of("cpu_ns"), "cpu_samples");
  EXPECT_EQ(samples_of("cpu_corrected_ns"), "cpu_corrected_samples");
  EXPECT_EQ(samples_of("allocated_bytes"), "allocation_samples");
  EXPECT_EQ(samples_of("wall_ns"), "wall_samples");
  EXPECT_EQ(samples_of("joined_cpu_ns"), "joined_cpu_samples");
  EXPECT_EQ(samples_of("cpu_samples"), "cpu_samples");
  EXPECT_EQ(samples_of("seen"), "seen_samples");
}

TEST(PerCall, IsTheAmountByTheCallsInAsManyDigitsAsSamplesAllow) {
  const ReportModel model = demo({{"cpu_ns", "ns", {}}, {"cpu_samples", "events", {}}});
  const PerCall per_call = PerCall::of(model, shown_measure(model)).value();
  constexpr std::uint64_t kMany = 100'000'000'000'000;
  EXPECT_EQ(per_call.text(1'234'567, 1, kMany), "1,234,567");
  EXPECT_EQ(per_call.text(1'234'567, 1, 10), "1,200,000");
  EXPECT_EQ(per_call.text(1000, 3, 100), "333");
  EXPECT_EQ(per_call.text(100, 3, 100), "33.3");
  EXPECT_EQ(per_call.text(100, 3, 10), "33");
  EXPECT_EQ(per_call.text(10, 3, 10), "3.3");
  EXPECT_EQ(per_call.text(1, 1000, 10), "<0.01");
  EXPECT_EQ(per_call.text(0, 3, 10), "0");
}

TEST(PerCall, IsMarkedWhereSamplesAreFew) {
  const ReportModel model = demo({{"cpu_ns", "ns", {}}, {"cpu_samples", "events", {}}});
  const PerCall per_call = PerCall::of(model, shown_measure(model)).value();
  EXPECT_EQ(per_call.text(5000, 10, kEnoughSamples), "500");
  EXPECT_EQ(per_call.text(5000, 10, kEnoughSamples - 1), "~500");
  EXPECT_EQ(per_call.text(0, 10, 0), "~0");
}

TEST(PerCall, IsNeverMarkedWhereEveryEventWasCounted) {
  for (const Column& column :
       {Column{"contended_ns", "ns", {}}, {"allocated_bytes", "bytes", {}}}) {
    const ReportModel model = demo({column, {"allocations", "events", {}}});
    const PerCall per_call = PerCall::of(model, shown_measure(model)).value();
    EXPECT_EQ(per_call.samples(), nullptr);
    EXPECT_EQ(per_call.text(5000, 10, 0), "500");
  }
}

TEST(PerCall, IsUnknownWithoutCalls) {
  ReportModel model = demo({{"cpu_ns", "ns", {}}});
  EXPECT_EQ(PerCall::of(model, shown_measure(model))->text(5000, 0, 100), "");
  model.totals.calls = 0;
  EXPECT_FALSE(PerCall::of(model, shown_measure(model)).has_value());
  model = demo({{"cpu_ns", "ns", {}}});
  model.shown = kCallsMeasure;
  EXPECT_FALSE(PerCall::of(model, shown_measure(model)).has_value());
}

TEST(PerCall, TellsNoCallsFromThoseThatNobodyCounted) {
  ReportModel model = demo({{"cpu_ns", "ns", {}}});
  EXPECT_EQ(PerCall::of(model, shown_measure(model))->calls_text(1234), "1,234");
  EXPECT_EQ(PerCall::of(model, shown_measure(model))->calls_text(0), "0");
  model.totals.calls_of = kMarkedMethods;
  EXPECT_EQ(PerCall::of(model, shown_measure(model))->calls_text(1234), "1,234");
  EXPECT_EQ(PerCall::of(model, shown_measure(model))->calls_text(0), "");
}

TEST(PerCall, SaysOfWhat) {
  for (const auto& [unit, heading] :
       {std::pair{"ns", "ns/call"}, {"bytes (estimate)", "B/call"}, {"events", "per call"}}) {
    const ReportModel model = demo({{"any", unit, {}}});
    EXPECT_EQ(PerCall::of(model, shown_measure(model))->heading(), heading);
  }
}

// work is called 1002 times by main and 4 times by itself: the cost of main's calls has everything below them.
TEST(PerCall, OfAMethodInclusivelyIsOfCallsFromOutsideTheMethod) {
  const std::vector<std::uint64_t> waits = {0, 0, 1'002'000, 0, 0, 1'002'000, 2'004'000, 0, 0};
  const std::string text = summary(demo({{"wait_ns", "ns", waits}}));
  EXPECT_EQ(row_of(text, "demo.Main.work"), "2.004 50.0 % 4.008 1,006 1,992 4,000") << text;
  EXPECT_EQ(row_of(text, "demo.Log.log"), "2.004 50.0 % 2.004 2,008 998 998") << text;
}

TEST(PerCall, OfAContextInclusivelyHasWhatIsBelowIt) {
  const std::vector<std::uint64_t> waits = {0, 0, 1'000'000, 0, 0, 0, 3'000'000, 0, 0};
  const std::string text = summary(demo({{"wait_ns", "ns", waits}}));
  EXPECT_EQ(row_of(text, "Main.work <- Main.main:12"), "1.000 25.0 % 1,000 1,000 4,000") << text;
}

TEST(PerCall, IsExplainedOnceWhereAnyIsMarked) {
  const std::vector<std::uint64_t> cpu = {0, 0, 1'000'000, 0, 0, 0, 3'000'000, 0, 0};
  const auto with_samples = [&](std::uint64_t samples) {
    return summary(demo(
        {{"cpu_ns", "ns", cpu}, {"cpu_samples", "events", {0, 0, samples, 0, 0, 0, 300, 0, 0}}}));
  };
  const std::string mark = "\n~: fewer than 10 samples.";
  EXPECT_EQ(with_samples(100).find('~'), std::string::npos);
  const std::string marked = with_samples(9);
  EXPECT_EQ(row_of(marked, "Main.work <- Main.main:12"), "1.0 25 % 1,000 ~1,000 4,000");
  EXPECT_NE(marked.find(mark), std::string::npos) << marked;
  EXPECT_EQ(marked.find(mark), marked.rfind(mark));
}

std::string tree(const ReportModel& model, std::size_t width) {
  TreeOptions options{0, 40};
  options.width = width;
  StringOutput out;
  write_tree(model, options, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

TEST(PerCall, InATreeIsOfEachContextWithAllBelow) {
  const std::vector<std::uint64_t> cpu = {0, 0, 1'000'000, 0, 0, 0, 3'000'000, 0, 0};
  const std::string text = tree(
      demo({{"cpu_ns", "ns", cpu}, {"cpu_samples", "events", {0, 0, 4, 0, 0, 0, 5, 0, 0}}}), 100);
  EXPECT_EQ(row_of(text, "  demo.Main.work  @12"), "1,000 1.0 4.0 100 % ~4,000") << text;
  EXPECT_NE(text.find("\n~: fewer than 10 samples."), std::string::npos) << text;
}

TEST(PerCall, InATreeHasColumnsThatKeepTheirWidth) {
  const ReportModel model = demo(
      {{"cpu_ns", "ns", {0, 7, 0, 123'456'789'012, 0, 0, 1, 0, 0}}, {"cpu_samples", "events", {}}});
  for (const std::size_t width : {80u, 100u}) {
    const std::string text = tree(model, width);
    const std::size_t names = text.find("context (@N");
    ASSERT_NE(names, std::string::npos);
    for (std::size_t line = text.find('\n') + 1; text[line] != '\n';
         line = text.find('\n', line) + 1) {
      EXPECT_EQ(text.substr(line + names - 2, 2), "  ") << text;
      EXPECT_NE(text[line + names - 3], ' ') << text;
    }
  }
}

TEST(PerCall, OfCallersLeavesRoomForNamesOnANarrowTerminal) {
  ReportModel model = demo({{"cpu_ns", "ns", std::vector<std::uint64_t>(9, 123'456'789)}});
  ASSERT_TRUE(cut(model, {{}, {}, {"demo.Log"}}).ok());
  for (const std::size_t width : {60u, 72u, 100u}) {
    SummaryOptions options;
    options.width = width;
    options.callers = true;
    StringOutput out;
    write_summary(model, options, out);
    ASSERT_TRUE(out.finish().ok());
    std::string text = out.text();
    EXPECT_NE(text.find("  demo.Main.work:21\n"), std::string::npos) << text;
    for (std::size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
      EXPECT_LE(end, width) << text.substr(0, end);
    }
  }
}

TEST(PerCall, LeavesRoomForNamesOnANarrowTerminal) {
  std::vector<std::uint64_t> cpu(9, 123'456'789'012);
  const ReportModel model = demo({{"cpu_ns", "ns", cpu}});
  for (const std::size_t width : {60u, 72u, 80u, 100u}) {
    std::string text = summary(model, width);
    EXPECT_NE(text.find("ns/call"), std::string::npos);
    for (std::size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
      EXPECT_LE(end, width) << text.substr(0, end);
    }
  }
}

}  // namespace
}  // namespace copse::report
