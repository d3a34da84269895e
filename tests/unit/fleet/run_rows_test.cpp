// A report becomes rows, and rows a report again; servers come in between only in tests/e2e/fleet.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "fleet/export_run.h"
#include "fleet/import_selection.h"
#include "fleet/row_binary.h"
#include "fleet/tables.h"
#include "report/model/model_builder.h"
#include "report/model/model_check.h"
#include "report/text/text_formats.h"
#include "support/report_samples.h"

namespace copse::fleet {
namespace {

using report::ReportModel;

const RunLabels kLabels = {"shop", "1.0"};

ReportModel run_of(std::uint64_t seed) {
  testing::DemoProgram program = testing::random_program(seed, 200);
  std::vector<std::uint64_t> values;
  for (std::uint32_t node = 0; node < program.tree.node_count(); ++node) values.push_back(node % 3);
  program.tables.measures = {{"waits", "events", 4, values}};
  program.tables.program.started = "2026-11-23T08:00:00Z";
  program.tables.calls_seen += 5;
  program.tables.calls_lost = 5;
  return std::move(build_model(program.tree, std::move(program.tables))).value();
}

struct Counts {
  std::map<std::pair<std::string, StableId>, std::uint64_t> sums;
  void add(const std::string& rows) {
    RowBinaryReader reader(rows);
    while (!reader.at_end()) {
      const std::string measure(reader.text());
      const StableId context = reader.id();
      sums[{measure, context}] += reader.number(8);
    }
    EXPECT_TRUE(reader.is_whole());
  }
  std::uint64_t of(const std::string& measure) const {
    std::uint64_t sum = 0;
    for (const auto& [key, value] : sums) sum += key.first == measure ? value : 0;
    return sum;
  }
};

// Returns the rows that a fleet would give of one or more runs.
SelectionRows selection_of(const std::vector<RunRows>& runs) {
  SelectionRows selection;
  selection.measures = {{"waits", "events", 0, {}}};
  selection.values.resize(1);
  std::set<StableId> seen;
  Counts counts;
  for (const RunRows& run : runs) {
    for (const RunRows::Part& part : run.parts) counts.add(part.rows);
    RowBinaryReader contexts(run.contexts);
    while (!contexts.at_end()) {
      EXPECT_EQ(contexts.text(), "shop");
      EXPECT_EQ(contexts.text(), "1.0");
      SelectionRows::Context context;
      context.id = contexts.id();
      context.parent = contexts.id();
      context.method = contexts.id();
      context.bci = static_cast<std::int32_t>(contexts.number(4));
      context.line = static_cast<std::int32_t>(contexts.number(4));
      if (seen.insert(context.id).second) selection.contexts.push_back(context);
    }
    RowBinaryReader methods(run.methods);
    while (!methods.at_end()) {
      (void)methods.text();
      (void)methods.text();
      identity::MethodKey& key = selection.methods[methods.id()];
      key.class_name = methods.text();
      key.name = methods.text();
      key.descriptor = methods.text();
    }
  }
  for (const auto& [key, value] : counts.sums) {
    if (key.first == kCalls) selection.calls.push_back({key.second, value});
    if (key.first == "waits") selection.values[0].push_back({key.second, value});
  }
  std::reverse(selection.contexts.begin(),
               selection.contexts.end());  // a server has an order of its own
  return selection;
}

// Paths and what is in them, of several reports added.
std::map<std::string, std::uint64_t> sums_of(std::vector<ReportModel> models,
                                             const std::string& measure) {
  std::map<std::string, std::uint64_t> sums;
  for (ReportModel& model : models) {
    model.shown = measure;
    report::StringOutput out;
    write_collapsed(model, {}, out);
    EXPECT_TRUE(out.finish().ok());
    std::istringstream lines(out.text());
    for (std::string line; std::getline(lines, line);) {
      const std::size_t blank = line.rfind(' ');
      sums[line.substr(0, blank)] += std::stoull(line.substr(blank + 1));
    }
  }
  return sums;
}

TEST(RunRows, BecomeTheReportAgain) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ReportModel model = run_of(seed);
    const auto run = rows_of_run(model, kLabels);
    ASSERT_TRUE(run.ok()) << run.message();
    const auto again = model_of_rows(selection_of({*run}));
    ASSERT_TRUE(again.ok()) << again.message();
    const Status sound = report::check_invariants(*again);
    EXPECT_TRUE(sound.ok()) << sound.message();
    for (const char* measure : {"calls", "waits"}) {
      EXPECT_EQ(sums_of({*again}, measure), sums_of({model}, measure)) << "seed " << seed;
    }
    EXPECT_EQ(again->totals.max_depth, model.totals.max_depth);
  }
}

TEST(RunRows, OfSeveralRunsAddUp) {
  std::vector<ReportModel> models;
  std::vector<RunRows> runs;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    models.push_back(run_of(1 + seed % 2));
    models.back().program.wall_ms = static_cast<double>(seed);
    runs.push_back(*rows_of_run(models.back(), kLabels));
  }
  const auto sum = model_of_rows(selection_of(runs));
  ASSERT_TRUE(sum.ok()) << sum.message();
  EXPECT_EQ(sums_of({*sum}, "calls"), sums_of(models, "calls"));
}

TEST(RunRows, SayOfTheRunWhatItsTotalsSay) {
  const ReportModel model = run_of(3);
  const RunRows run = *rows_of_run(model, kLabels);
  EXPECT_EQ(run.day, "2026-11-23");
  Counts counts;
  for (const RunRows::Part& part : run.parts) counts.add(part.rows);
  EXPECT_EQ(counts.of(kCalls), model.totals.calls);
  EXPECT_EQ(counts.of(kCallsInRuns), model.totals.calls);
  EXPECT_EQ(counts.of(kCallsLost), 5u);
  EXPECT_EQ(counts.of("(lost waits)"), 4u);
  EXPECT_EQ(counts.of(kPart), 1u);
  EXPECT_EQ(counts.of(kParts), 1u);
}

TEST(RunRows, AreCutIntoPartsThatAreCountedEach) {
  const ReportModel model = run_of(3);
  const RunRows whole = *rows_of_run(model, kLabels);
  const RunRows cut = *rows_of_run(model, kLabels, 10);
  ASSERT_GT(cut.parts.size(), 3u);
  Counts counts;
  std::set<StableId> ids;
  for (const RunRows::Part& part : cut.parts) {
    Counts own;
    own.add(part.rows);
    EXPECT_EQ(own.of(kPart), 1u);
    EXPECT_TRUE(own.sums.contains({kPart, part.id}));
    counts.add(part.rows);
    ids.insert(part.id);
  }
  EXPECT_EQ(ids.size(), cut.parts.size());
  EXPECT_EQ(counts.of(kParts), cut.parts.size());
  EXPECT_EQ(counts.of(kPart), cut.parts.size());
  EXPECT_EQ(counts.of(kCalls), model.totals.calls);
  EXPECT_EQ(cut.run, whole.run);
}

TEST(RunRows, HaveTheHashOfTheRunAndOfNoOther) {
  const ReportModel model = run_of(3);
  const StableId id = rows_of_run(model, kLabels)->run;
  EXPECT_EQ(rows_of_run(model, kLabels)->run, id);
  ReportModel other = model;
  other.program.wall_ms += 0.000001;
  EXPECT_NE(rows_of_run(other, kLabels)->run, id);
  EXPECT_NE(rows_of_run(model, {"shop", "1.1"})->run, id);
  other = model;
  other.created_by = "a later copse";
  other.notes.push_back("read and written again");
  EXPECT_EQ(rows_of_run(other, kLabels)->run, id);
}

TEST(RunRows, AreNotMadeOfWhatCannotBeSummed) {
  ReportModel model = run_of(3);
  model.program.snapshot = 1;
  EXPECT_FALSE(rows_of_run(model, kLabels).ok());
  model = run_of(3);
  for (const char* day : {"", "yesterday", "2026-1-23T", "2026-11-2x"}) {
    model.program.started = day;
    EXPECT_FALSE(rows_of_run(model, kLabels).ok()) << day;
  }
  model = run_of(3);
  model.measures[0].name = "(part)";
  EXPECT_FALSE(rows_of_run(model, kLabels).ok());
}

TEST(SelectionModel, SaysWhatIsMissing) {
  const SelectionRows whole = selection_of({*rows_of_run(run_of(3), kLabels)});
  SelectionRows rows = whole;
  rows.contexts.erase(
      std::find_if(rows.contexts.begin(), rows.contexts.end(), [&](const auto& one) {
        return std::any_of(rows.contexts.begin(), rows.contexts.end(),
                           [&](const auto& other) { return other.parent == one.id; });
      }));
  EXPECT_FALSE(model_of_rows(rows).ok());
  rows = whole;
  rows.methods.erase(rows.methods.begin());
  EXPECT_FALSE(model_of_rows(rows).ok());
  rows = whole;
  rows.calls.push_back({StableId{}, 1});
  EXPECT_FALSE(model_of_rows(rows).ok());
  rows = whole;
  rows.contexts[0].parent = rows.contexts[0].id;
  EXPECT_FALSE(model_of_rows(rows).ok());
}

}  // namespace
}  // namespace copse::fleet
