// Reports that go through another format and back: random trees, by seed.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "import/imported_report.h"
#include "import/report_names.h"
#include "report/exports/tool_formats.h"
#include "report/model/display_names.h"
#include "report/model/model_builder.h"
#include "report/model/row.h"
#include "report/text/text_formats.h"
#include "support/report_samples.h"
#include "support/text_samples.h"

namespace copse::join {
namespace {

using report::at;
using report::ReportModel;

class AnyImport : public ::testing::TestWithParam<int> {
 protected:
  AnyImport() : seed_(static_cast<std::uint64_t>(GetParam())) {
    SCOPED_TRACE(seed_);
    testing::DemoProgram program =
        testing::random_program(seed_, 1 + static_cast<std::uint32_t>(seed_ * 53 % 900));
    program.tables.created_by = "copse test";
    Result<ReportModel> model = build_model(program.tree, std::move(program.tables));
    EXPECT_TRUE(model.ok());
    model_ = std::move(model).value();
    std::mt19937_64 random(seed_);
    ReportModel::Measure measure{"cpu_ns", "ns", random() % 1000, {0}};
    for (std::size_t row = 1; row < model_.nodes.parent.size(); ++row) {
      measure.values.push_back(random() % 3 == 0 ? random() % 1'000'000 : 0);
    }
    model_.measures.push_back(std::move(measure));
  }

  const std::uint64_t seed_;
  ReportModel model_;
};

std::string written(const ReportModel& model, bool lines) {
  report::StringOutput out;
  report::CollapsedOptions options;
  options.lines = lines;
  report::write_collapsed(model, options, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

ReportModel imported(const std::string& text, const std::string& counts_are) {
  const Result<SampledStacks> stacks = testing::samples_of(text, {}, FrameReading::kAll);
  EXPECT_TRUE(stacks.ok()) << stacks.message();
  Result<ReportModel> model = imported_report(*stacks, "file", counts_are);
  EXPECT_TRUE(model.ok()) << model.message();
  return std::move(model).value();
}

// By path, as the format spells it.
std::map<std::string, std::uint64_t> sums(const std::string& collapsed) {
  std::map<std::string, std::uint64_t> sums;
  for (std::size_t at = 0; at < collapsed.size();) {
    const std::size_t end = collapsed.find('\n', at);
    const std::size_t blank = collapsed.rfind(' ', end);
    sums[collapsed.substr(at, blank - at)] += std::stoull(collapsed.substr(blank + 1, end - blank));
    at = end + 1;
  }
  return sums;
}

TEST_P(AnyImport, OfCollapsedStacksHasTheSumOfEachPath) {
  for (const bool lines : {true, false}) {
    const std::string once = written(model_, lines);
    const ReportModel model = imported(once, "calls");
    EXPECT_EQ(model.totals.calls, model_.totals.calls);
    const std::string again = written(model, lines);
    EXPECT_EQ(sums(again), sums(once));
    // Equal lines are one now, and the order is that of a report: from here on nothing changes.
    EXPECT_EQ(written(imported(again, "calls"), lines), again);
  }
}

// Spelled out with descriptors and lines, which the format keeps.
std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> contexts(const ReportModel& model) {
  std::vector<std::string> paths(model.nodes.parent.size());
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> sums;
  for (std::size_t row = 1; row < paths.size(); ++row) {
    const std::size_t method = at(model.nodes.method[row]);
    const std::int32_t site = model.nodes.site[row];
    const std::int32_t line = site < 0 ? -1 : model.sites.line[at(site)];
    paths[row] = paths[at(model.nodes.parent[row])] + (line > 0 ? std::to_string(line) : "-") +
                 ">" + model.methods.class_name[method] + "." + model.methods.name[method] +
                 model.methods.descriptor[method] + "@" + model.methods.source[method] + ";";
    const std::uint64_t calls = model.nodes.calls[row], ns = model.measures[0].values[row];
    if (calls + ns == 0) continue;
    sums[paths[row]].first += calls;
    sums[paths[row]].second += ns;
  }
  return sums;
}

TEST_P(AnyImport, OfAProfileOfPprofHasEveryContextWithAllThatWasCounted) {
  report::StringOutput out;
  ASSERT_TRUE(write_pprof(model_, {}, out).ok());
  ASSERT_TRUE(out.finish().ok());
  const ReportModel model = imported(out.text(), "");
  ASSERT_EQ(model.measures.size(), 1u);
  EXPECT_EQ(contexts(model), contexts(model_));
  EXPECT_EQ(model.totals.calls, model_.totals.calls);
  EXPECT_EQ(model.measures[0].lost, model_.measures[0].lost);
}

// A report whose methods are overloads, all of them called.
ReportModel overloaded(std::uint64_t seed, bool odd) {
  testing::DemoProgram program =
      testing::random_program(seed, 1 + static_cast<std::uint32_t>(seed * 53 % 900));
  program.tables.created_by = "copse test";
  testing::overload(program.tables, seed, odd);
  ReportModel model = std::move(build_model(program.tree, std::move(program.tables))).value();
  for (std::size_t row = 1; row < model.nodes.calls.size(); ++row) {
    if (model.nodes.calls[row] == 0) model.totals.calls += model.nodes.calls[row] = 1;
  }
  model.totals.calls_seen = model.totals.calls + model.totals.calls_lost;
  return model;
}

std::set<std::int32_t> called(const ReportModel& model) {
  return {model.nodes.method.begin() + 1, model.nodes.method.end()};
}

TEST_P(AnyImport, TellsOverloadsApartByTheirNames) {
  const ReportModel model = overloaded(seed_, true);
  report::StringOutput pprof;
  ASSERT_TRUE(write_pprof(model, {}, pprof).ok());
  ASSERT_TRUE(pprof.finish().ok());
  const ReportNames names(model);
  for (const std::string& text : {written(model, true), written(model, false), pprof.text()}) {
    // As samples of a report: from a file of Copse, too, names alone are read.
    const Result<SampledStacks> stacks = testing::samples_of(text);
    ASSERT_TRUE(stacks.ok()) << stacks.message();
    std::set<std::int32_t> found;
    for (const Frame& frame : stacks->frames()) {
      const ReportNames::Answer answer = names.methods_of(frame);
      ASSERT_EQ(answer.methods.size(), 1u)
          << frame.class_name << '.' << frame.method << frame.descriptor;
      found.insert(answer.methods[0]);
    }
    EXPECT_EQ(found, called(model));
    // As a report of their own.
    const ReportModel back = imported(text, text == pprof.text() ? "" : "calls");
    EXPECT_EQ(called(back).size(), called(model).size());
    EXPECT_EQ(back.totals.calls, model.totals.calls);
  }
}

TEST_P(AnyImport, OfOverloadsHasTheNamesThatWereWritten) {
  const ReportModel model = overloaded(seed_, false);
  const std::string once = written(model, false);
  const ReportModel back = imported(once, "calls");
  const report::DisplayNames names(model.methods), names_back(back.methods);
  std::set<std::string> all, all_back;
  // A method stands alone in the report where no other of its name was called.
  std::map<std::string, int> of_name;
  for (const std::int32_t row : called(model)) {
    ++of_name[report::display_name(model.methods.class_name[at(row)], model.methods.name[at(row)])];
  }
  for (const std::int32_t row : called(model)) {
    const std::string name =
        report::display_name(model.methods.class_name[at(row)], model.methods.name[at(row)]);
    all.insert(of_name[name] == 1 ? name : names.plain(row));
  }
  for (const std::int32_t row : called(back)) all_back.insert(names_back.plain(row));
  EXPECT_EQ(all_back, all);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyImport, ::testing::Range(1, 41));

}  // namespace
}  // namespace copse::join
