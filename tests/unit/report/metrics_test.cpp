#include <gtest/gtest.h>

#include <numeric>

#include "report/json_reader.h"
#include "report/json_writer.h"
#include "report/metric_view.h"
#include "report/model_builder.h"
#include "report/text_formats.h"
#include "support/report_samples.h"

namespace copse {
namespace {

// The demo program, with a value for each of its nodes but the last.
ReportModel demo() {
  testing::DemoProgram program = testing::demo_program();
  std::vector<std::uint64_t> values;
  for (std::uint32_t node = 0; node + 1 < program.tree.node_count(); ++node) {
    values.push_back(node * 10);
  }
  program.tables.metrics = {{"waits", "ns", 7, values}, {"allocations", "events", 0, {}}};
  return std::move(build_model(program.tree, std::move(program.tables))).value();
}

std::string json(const ReportModel& model) {
  StringOutput out;
  write_json(model, out, JsonEmbedding::kFile);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

std::uint64_t sum(const std::vector<std::uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

std::string error_of(const std::string& text) {
  const Result<ReportModel> model = read_json(text, "FILE");
  return model.ok() ? "" : model.message();
}

TEST(Metrics, ComeInOrderOfTheirNamesWithAValuePerNode) {
  const ReportModel model = demo();
  const std::size_t rows = model.nodes.parent.size();
  ASSERT_EQ(model.metrics.size(), 2u);
  EXPECT_EQ(model.metrics[0].name, "allocations");
  EXPECT_EQ(model.metrics[0].values, std::vector<std::uint64_t>(rows, 0));
  EXPECT_EQ(model.metrics[1].name, "waits");
  EXPECT_EQ(model.metrics[1].values.size(), rows);
  std::uint64_t expected = 0;
  const std::uint64_t nodes = testing::demo_program().tree.node_count();
  for (std::uint64_t node = 0; node + 1 < nodes; ++node) expected += node * 10;
  EXPECT_EQ(sum(model.metrics[1].values), expected);
}

TEST(Metrics, GoWithTheirNodesWhenRowsAreReordered) {
  testing::DemoProgram program = testing::random_program(5, 400);
  std::vector<std::uint64_t> calls;
  for (std::uint32_t node = 0; node < program.tree.node_count(); ++node) {
    calls.push_back(program.tree.node(NodeIndex{node}).calls);
  }
  program.tables.metrics = {{"same", "events", 0, calls}};
  const Result<ReportModel> model = build_model(program.tree, std::move(program.tables));
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->metrics[0].values, model->nodes.calls);
}

TEST(Metrics, ReadBackAsTheyWereWritten) {
  const std::string text = json(demo());
  const Result<ReportModel> again = read_json(text, "demo");
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(again->metrics[1].unit, "ns");
  EXPECT_EQ(again->metrics[1].lost, 7u);
  EXPECT_EQ(json(*again), text);
}

TEST(Metrics, WithoutTheirColumnOrAnotherColumnsNameAreNoReport) {
  ReportModel model = demo();
  model.metrics[0].values.pop_back();
  EXPECT_NE(error_of(json(model)).find("nodes.allocations: has"), std::string::npos);
  model = demo();
  model.metrics[0].name = "waits";
  EXPECT_NE(error_of(json(model)), "");
  model = demo();
  model.metrics[0].name = "calls";
  EXPECT_NE(error_of(json(model)), "");
}

TEST(Metrics, TakeThePlaceOfCallsWhenAskedFor) {
  ReportModel model = demo();
  const std::vector<std::uint64_t> waits = model.metrics[1].values;
  ASSERT_TRUE(show_metric(model, "waits").ok());
  EXPECT_EQ(model.nodes.calls, waits);
  EXPECT_EQ(model.totals.calls, sum(waits));
  EXPECT_EQ(model.totals.calls_lost, 7u);
  EXPECT_EQ(model.totals.calls_seen, sum(waits) + 7);
  EXPECT_EQ(
      model.notes.front(),
      "What is called calls here is the metric waits, in ns. With --metric also: allocations.");
  EXPECT_EQ(error_of(json(model)), "");
}

TEST(Metrics, ThatAReportLacksAreAnsweredWithThoseItHas) {
  ReportModel model = demo();
  EXPECT_EQ(show_metric(model, "cpu").message(),
            "--metric cpu: the report has no such, but allocations, waits");
  model.metrics.clear();
  EXPECT_EQ(show_metric(model, "cpu").message(), "--metric cpu: the report has none");
}

TEST(Metrics, AreWhatToShowOfAReportWithoutCalls) {
  ReportModel model = demo();
  EXPECT_EQ(metric_to_show(model), "");
  model.totals.calls_seen = 0;
  model.metrics[0].values.assign(model.metrics[0].values.size(), 0);
  EXPECT_EQ(metric_to_show(model), "waits");
  model.metrics.clear();
  EXPECT_EQ(metric_to_show(model), "");
}

TEST(Metrics, AreSummedUpInTheSummary) {
  StringOutput out;
  write_summary(demo(), {}, out);
  EXPECT_TRUE(out.finish().ok());
  EXPECT_NE(out.text().find(" ns      waits, 7 more lost\n"), std::string::npos) << out.text();
}

}  // namespace
}  // namespace copse
