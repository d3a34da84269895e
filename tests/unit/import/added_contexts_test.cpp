#include "import/added_contexts.h"

#include <gtest/gtest.h>

#include "report/model/model_check.h"
#include "support/small_report.h"

namespace copse::join {
namespace {

using testing::SmallReport;
using Column = NumberColumn;

// The names of a report's nodes, with as many dots before them as they have callers.
std::string drawn(const report::ReportModel& model, const Column& column) {
  std::string text;
  std::vector<std::size_t> depth(model.nodes.parent.size());
  for (std::size_t row = 1; row < depth.size(); ++row) {
    depth[row] = depth[static_cast<std::size_t>(model.nodes.parent[row])] + 1;
    text += std::string(depth[row] - 1, '.') +
            model.methods.name[static_cast<std::size_t>(model.nodes.method[row])] + " " +
            std::to_string(model.nodes.calls[row]) + " " + std::to_string(column[row]) + "\n";
  }
  return text;
}

TEST(AddedContexts, StandAmongTheirSiblingsInOrder) {
  SmallReport report;
  const std::int32_t b = report.method("a.A", "b");
  const std::int32_t d = report.method("a.A", "d");
  const std::int32_t b_row = report.node(0, b, -1, 0, 1);
  const std::int32_t b_b_row = report.node(b_row, b, 3, 0, 2);
  const std::int32_t d_row = report.node(0, d, -1, 0, 3);
  report.model.threads.push_back({1, "main", d_row, 6, 1});

  AddedContexts added(report.model);
  const std::size_t a = added.method("a.A", "a");
  const std::size_t z = added.method("a.A", "z");
  const auto row = [](std::int32_t node) { return static_cast<std::size_t>(node); };
  Column column(20);
  column[added.child(row(b_row), z)] = 10;  // these three end where the subtree of b does
  column[added.child(row(b_b_row), z)] = 20;
  column[added.child(row(b_b_row), a)] = 30;
  column[added.child(0, a)] = 40;
  column[added.child(0, row(b))] = 50;  // the context that the report has
  column[added.child(0, z)] = 60;
  const AddedContexts::NodeId below = added.child(added.child(row(d_row), z), row(d));
  column[below] = 70;
  column[added.child(added.child(row(d_row), z), a)] = 80;
  column[row(d_row)] = 90;
  EXPECT_EQ(added.child(added.child(row(d_row), z), row(d)), below);

  added.put_into(report.model, {&column, 1});
  EXPECT_EQ(drawn(report.model, column),
            "a 0 40\n"
            "b 1 50\n"
            ".b 2 0\n"
            "..a 0 30\n"
            "..z 0 20\n"
            ".z 0 10\n"
            "d 3 90\n"
            ".z 0 0\n"
            "..a 0 80\n"
            "..d 0 70\n"
            "z 0 60\n");
  EXPECT_EQ(report.model.threads[0].node, 7);
  EXPECT_EQ(report.model.totals.contexts, 11u);
  EXPECT_EQ(report.model.totals.max_depth, 3u);
  const Status status = report::check_invariants(report.model);
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(AddedContexts, LeaveAReportAloneWithoutAny) {
  SmallReport report;
  report.node(0, report.method("a.A", "b"), -1, 0, 1);
  Column column;
  AddedContexts(report.model).put_into(report.model, {&column, 1});
  EXPECT_EQ(drawn(report.model, column), "b 1 0\n");
}

}  // namespace
}  // namespace copse::join
