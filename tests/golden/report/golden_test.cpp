// Each text format of one small report, against files a person has read. To accept a change:
// COPSE_UPDATE_GOLDEN=1 golden_report, then read the difference.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "report/exports/json_writer.h"
#include "report/exports/tool_formats.h"
#include "report/model/json_reader.h"
#include "report/model/model_builder.h"
#include "report/part/cut.h"
#include "report/text/text_formats.h"
#include "support/golden.h"
#include "support/report_samples.h"

namespace copse::report {
namespace {

using test::expect_golden;

const std::string kFolder = COPSE_GOLDEN_FOLDER;

template <typename Writer, typename... Options>
std::string text(Writer write, const ReportModel& model, const Options&... options) {
  StringOutput out;
  write(model, options..., out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

ReportModel model_of(const std::string& name) {
  Result<ReportModel> model = read_json_file(kFolder + "/" + name);
  EXPECT_TRUE(model.ok()) << model.message();
  return std::move(model).value();
}

TEST(GoldenReport, JsonOfTheDemoProgram) {
  testing::DemoProgram demo = testing::demo_program();
  const Result<ReportModel> model = build_model(demo.tree, std::move(demo.tables));
  ASSERT_TRUE(model.ok());
  expect_golden("demo.json", text([](const auto& m, Output& out) { write_json(m, out); }, *model));
}

TEST(GoldenReport, Summary) {
  expect_golden("demo.summary.txt", text(write_summary, model_of("demo.json"), SummaryOptions{}));
}

TEST(GoldenReport, Tree) {
  expect_golden("demo.tree.txt", text(write_tree, model_of("demo.json"), TreeOptions{0.0, 40}));
}

TEST(GoldenReport, TreePrunedByShareAndDepth) {
  expect_golden("demo.pruned.tree.txt",
                text(write_tree, model_of("demo.json"), TreeOptions{1.0, 2}));
}

TEST(GoldenReport, Collapsed) {
  expect_golden("demo.collapsed", text(write_collapsed, model_of("demo.json"), CollapsedOptions{}));
}

TEST(GoldenReport, CollapsedWithTheLinesOfCalls) {
  expect_golden("demo.lines.collapsed",
                text(write_collapsed, model_of("demo.json"), CollapsedOptions{.lines = true}));
}

TEST(GoldenReport, CollapsedCutAtADepth) {
  expect_golden("demo.cut.collapsed",
                text(write_collapsed, model_of("demo.json"), CollapsedOptions{2}));
}

TEST(GoldenReport, ForOtherTools) {
  const ReportModel timed = model_of("timed.json");
  expect_golden("timed.speedscope.json", text(write_speedscope, timed));
  expect_golden("timed.callgrind", text(write_callgrind, timed));
  expect_golden("timed.csv", text(write_rows, timed, RowsOptions{.paths = true}));
}

// Names as hostile as class files allow and more, long names, deep recursion, lost calls, notes.
TEST(GoldenReport, SummaryOfAnAwkwardProgram) {
  expect_golden("awkward.summary.txt",
                text(write_summary, model_of("awkward.json"), SummaryOptions{}));
}

TEST(GoldenReport, TreeOfAnAwkwardProgram) {
  expect_golden("awkward.tree.txt", text(write_tree, model_of("awkward.json"), TreeOptions{}));
}

TEST(GoldenReport, CollapsedOfAnAwkwardProgram) {
  expect_golden("awkward.collapsed",
                text(write_collapsed, model_of("awkward.json"), CollapsedOptions{}));
}

TEST(GoldenReport, TextsOfEvictedContexts) {
  const ReportModel evicted = model_of("evicted.json");
  expect_golden("evicted.json",
                text([](const auto& m, Output& out) { write_json(m, out); }, evicted));
  expect_golden("evicted.summary.txt", text(write_summary, evicted, SummaryOptions{}));
  expect_golden("evicted.tree.txt", text(write_tree, evicted, TreeOptions{}));
  expect_golden("evicted.collapsed", text(write_collapsed, evicted, CollapsedOptions{}));
}

// The demo program with processor time beside its calls.
TEST(GoldenReport, TextsOfCallsAndTime) {
  const ReportModel timed = model_of("timed.json");
  expect_golden("timed.json", text([](const auto& m, Output& out) { write_json(m, out); }, timed));
  expect_golden("timed.summary.txt", text(write_summary, timed, SummaryOptions{}));
  expect_golden("timed.tree.txt", text(write_tree, timed, TreeOptions{0}));
  ReportModel log = timed;
  ASSERT_TRUE(cut(log, {{}, {}, {"demo.Log.log"}}).ok());
  SummaryOptions callers;
  callers.callers = true;
  expect_golden("timed.callers.summary.txt", text(write_summary, log, callers));
  expect_golden("timed.callers.tree.txt", text(write_callers_tree, log, TreeOptions{0}));
  TreeOptions narrow;
  narrow.width = 80;
  expect_golden("timed.narrow.tree.txt", text(write_tree, timed, narrow));
}

TEST(GoldenReport, SummaryStaysWithinAHundredColumns) {
  for (const char* name : {"demo.json", "awkward.json", "evicted.json", "timed.json"}) {
    std::istringstream lines(text(write_summary, model_of(name), SummaryOptions{}));
    for (std::string line; std::getline(lines, line);) {
      const auto characters = std::count_if(line.begin(), line.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
      });
      EXPECT_LE(characters, 100) << line;
    }
  }
}

}  // namespace
}  // namespace copse::report
