#include "report/model/other_measures.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "report/model/model_builder.h"
#include "report/text/text_formats.h"
#include "support/report_samples.h"

namespace copse::report {
namespace {

using NamedAmounts = std::vector<std::pair<std::string, std::uint64_t>>;  // unit by the name's end

// The demo program with these measures, all of what they count in one node.
ReportModel report_with(const NamedAmounts& amounts) {
  testing::DemoProgram program = testing::demo_program();
  for (const auto& [name, amount] : amounts) {
    const char* const unit = name.ends_with("_ns")      ? "ns"
                             : name.ends_with("_bytes") ? "bytes"
                                                        : "events";
    program.tables.measures.push_back({name, unit, 0, {0, amount}});
  }
  return std::move(build_model(program.tree, std::move(program.tables))).value();
}

// A line each: "wall_ns 100 of 4 wall_samples", a state's behind a blank.
std::vector<std::string> rows_beside(ReportModel model, const std::string& shown) {
  model.shown = shown;
  std::vector<std::string> rows;
  for (const OtherMeasure& other : other_measures(model, shown_measure(model))) {
    std::string row =
        (other.is_state ? " " : "") + other.view.name + ' ' + std::to_string(other.view.total);
    if (other.events) {
      row += " of " + std::to_string(other.events->total) + ' ' + other.events->name;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string summary_of(const ReportModel& model) {
  StringOutput out;
  write_summary(model, {}, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

using Rows = std::vector<std::string>;

const NamedAmounts kEverything = {
    {"cpu_ns", 90},        {"cpu_samples", 9},  {"allocated_bytes", 640}, {"allocations", 10},
    {"exceptions", 0},     {"contended_ns", 7}, {"contentions", 1},       {"wall_ns", 100},
    {"wall_samples", 4},   {"runnable_ns", 75}, {"runnable_samples", 3},  {"parked_ns", 25},
    {"parked_samples", 1}, {"sleeping_ns", 0},  {"sleeping_samples", 0}};

TEST(OtherMeasures, HaveOneRowForAnAmountAndTheEventsThatItComesFrom) {
  const ReportModel model = report_with(kEverything);
  EXPECT_EQ(rows_beside(model, "cpu_ns"),
            (Rows{"calls 3018", "allocated_bytes 640 of 10 allocations", "exceptions 0",
                  "contended_ns 7 of 1 contentions", "wall_ns 100 of 4 wall_samples",
                  " runnable_ns 75 of 3 runnable_samples", " parked_ns 25 of 1 parked_samples"}));
  // The measure shown has no row of its own, and the samples it counts are no part of a row either.
  EXPECT_EQ(rows_beside(model, "cpu_samples")[1], "cpu_ns 90");
}

TEST(OtherMeasures, HaveStatesAsRowsOfTheirOwnWhereNoTimeOfAllStatesIsAbove) {
  EXPECT_EQ(rows_beside(report_with(kEverything), "wall_ns").back(),
            "parked_ns 25 of 1 parked_samples");
  // A report of --measure locks has no other state: no parked thread is an answer.
  EXPECT_EQ(rows_beside(report_with({{"parked_ns", 0}, {"parked_samples", 0}}), "calls"),
            Rows{"parked_ns 0 of 0 parked_samples"});
}

TEST(OtherMeasures, AreLinesOfTheSummaryWithTheSamplesOfWhatIsShown) {
  ReportModel model = report_with(kEverything);
  model.shown = "cpu_ns";
  const std::string text = summary_of(model);
  const auto has = [&](const std::string& part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has("\n  cpu time                    90 ns  (9 samples)\n")) << text;
  EXPECT_TRUE(
      has("\n         100 ns  wall, of 4 samples\n"
          "          75 ns    runnable, of 3 samples\n"
          "          25 ns    parked, of 1 sample\n"))
      << text;
}

TEST(OtherMeasures, SayOfSeveralRunsWhatRangesAreCalled) {
  ReportModel model = report_with({{"least_calls", 3000}, {"greatest_calls", 4000}});
  model.shown = kCallsMeasure;
  EXPECT_EQ(rows_beside(model, "calls").size(), 2u) << "names alone make no range";
  model.program.runs = 3;
  EXPECT_EQ(rows_beside(model, "calls"), Rows{});
  EXPECT_NE(summary_of(model).find("least_NAME, greatest_NAME: what contexts had least and most in "
                                   "the 3 runs\n"),
            std::string::npos);
}

}  // namespace
}  // namespace copse::report
