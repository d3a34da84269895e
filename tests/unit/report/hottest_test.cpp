#include "report/model/hottest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "report/model/measure_view.h"
#include "report/model/model_builder.h"
#include "report/model/model_check.h"
#include "report/model/report_stats.h"
#include "support/report_samples.h"
#include "support/small_report.h"

namespace copse::report {
namespace {

using Values = std::vector<std::uint64_t>;

ReportModel built(testing::DemoProgram program) {
  Result<ReportModel> model = build_model(program.tree, std::move(program.tables));
  EXPECT_TRUE(model.ok()) << model.message();
  return std::move(model).value();
}

bool is_evicted(const ReportModel& model, std::size_t row) {
  return row != 0 &&
         is_evicted_method(model.methods, static_cast<std::size_t>(model.nodes.method[row]));
}

Values kept_inclusive(const ReportModel& model) {
  const NumberColumn inclusive = inclusive_values(model.nodes, *shown_measure(model).values);
  Values kept;
  for (std::size_t row = 1; row < inclusive.size(); ++row) {
    if (!is_evicted(model, row)) kept.push_back(inclusive[row]);
  }
  std::sort(kept.rbegin(), kept.rend());
  return kept;
}

TEST(HottestContexts, AreThoseWithTheMostInclusiveCallsAndTheirCallersHaveTheRest) {
  const ReportModel model = hottest(built(testing::demo_program()), 3);
  std::vector<std::string> rows;
  for (std::size_t row = 1; row < model.nodes.parent.size(); ++row) {
    rows.push_back(std::to_string(model.nodes.parent[row]) + " " +
                   model.methods.name[static_cast<std::size_t>(model.nodes.method[row])] + " " +
                   std::to_string(model.nodes.calls[row]));
  }
  EXPECT_EQ(rows, (std::vector<std::string>{"0 contexts 7", "0 main 1", "2 contexts 3010"}));
  EXPECT_EQ(model.totals.evicted_contexts, 7u);
  EXPECT_EQ(model.threads[1].node, -1);
  EXPECT_EQ(model.notes.back(),
            "Left out: the 7 coldest of 8 contexts, with 3,017 calls. Nodes named (evicted) hold "
            "these calls; --max-contexts says how many contexts to keep.");
}

// main calls hot and gone. Only the older report has calls of gone: more than the newer one has of hot.
TEST(HottestContexts, OfAComparisonAreThoseOfBothReports) {
  testing::SmallReport report;
  report.node(0, report.method("p.Main", "main"));
  report.node(1, report.method("p.Main", "rare"), 5, 1, 1);
  const std::int32_t gone = report.node(1, report.method("p.Main", "gone"), 6, 2, 0);
  report.node(1, report.method("p.Main", "hot"), 7, 3, 50);
  ReportModel& model = report.model;
  model.measures.push_back({"old_calls", "calls", 0, {0, 1, 1, 90, 0}});
  ReportModel::Compared compared;
  compared.old_threads = {{1, "main", gone, 92}};
  compared.rules.push_back(
      {"calls(p.Main.rare) > 0", "broken", "", {}, "calls", {{2, 1, 1}, {gone, 90, 0}}, 0});
  model.compared = compared;
  const ReportModel kept = hottest(model, 3);
  ASSERT_TRUE(kept.compared.has_value());
  const std::int64_t node = kept.compared->old_threads[0].node;
  ASSERT_GT(node, 0) << "kept, for the older report has most in it";
  const auto method = kept.nodes.method[static_cast<std::size_t>(node)];
  EXPECT_EQ(kept.methods.name[static_cast<std::size_t>(method)], "gone");
  EXPECT_EQ(kept.compared->rules[0].contexts[0].node, -1);
  EXPECT_EQ(kept.compared->rules[0].contexts[1].node, node);
  EXPECT_EQ(kept.totals.contexts, model.totals.contexts) << "of the report, not of both trees";
}

TEST(HottestContexts, AddUpToWhatThereWasAndAreAReportAgain) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ReportModel all = built(testing::random_program(seed, 3000));
    Values bytes(all.nodes.parent.size());
    std::iota(bytes.begin() + 1, bytes.end(), 1);
    all.measures.push_back({"bytes", "bytes", 0, bytes});
    const Values before = kept_inclusive(all);
    for (const std::uint64_t most :
         {std::uint64_t{2}, std::uint64_t{17}, std::uint64_t{600}, all.totals.contexts - 1}) {
      const ReportModel model = hottest(all, most);
      const Status sound = check_invariants(model);
      EXPECT_TRUE(sound.ok()) << sound.message();
      EXPECT_LE(model.totals.contexts, most);
      EXPECT_EQ(model.totals.calls, all.totals.calls);
      EXPECT_EQ(std::accumulate(model.measures[0].values.begin(), model.measures[0].values.end(),
                                std::uint64_t{0}),
                std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0}));
      // No colder context stays where a much hotter one goes.
      const Values kept = kept_inclusive(model);
      for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_GE(kept[i] * 2, before[i]);
      EXPECT_GE(kept.size() * 2 + 2, std::min<std::uint64_t>(most, before.size()));
    }
  }
}

TEST(HottestContexts, OfAReportThatHasEvictedContextsKeepOneNodeOfThemACaller) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const ReportModel all = built(testing::random_program(seed, 2000));
    const ReportModel twice = hottest(hottest(all, 500), 100);
    EXPECT_TRUE(check_invariants(twice).ok());
    EXPECT_EQ(twice.totals.calls, all.totals.calls);
    std::vector<int> evicted(twice.nodes.parent.size());
    for (std::size_t row = 1; row < evicted.size(); ++row) {
      if (is_evicted(twice, row)) ++evicted[static_cast<std::size_t>(twice.nodes.parent[row])];
    }
    EXPECT_LE(*std::max_element(evicted.begin(), evicted.end()), 1);
  }
}

}  // namespace
}  // namespace copse::report
