#include "report/model/model_builder.h"

#include <gtest/gtest.h>

#include "cct/cct.h"
#include "report/exports/json_writer.h"
#include "report/model/json_reader.h"
#include "report/model/model_check.h"
#include "support/report_samples.h"

namespace copse::report {
namespace {

using testing::demo_program;
using testing::DemoProgram;
using testing::ListedTree;

ReportModel build(DemoProgram demo) {
  Result<ReportModel> model = build_model(demo.tree, std::move(demo.tables));
  EXPECT_TRUE(model.ok());
  return std::move(model).value();
}

std::string json(const ReportModel& model) {
  StringOutput out;
  write_json(model, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

TEST(ModelBuilder, OrdersChildrenByClassNameAndLine) {
  const ReportModel model = build(demo_program());
  // ROOT, Log.log (thread), main: log, main (upcall), work:10 > work, work:12 > log.
  EXPECT_EQ(model.nodes.parent, (std::vector<std::int32_t>{-1, 0, 0, 2, 3, 2, 5, 2, 7}));
  EXPECT_EQ(model.nodes.calls, (std::vector<std::uint64_t>{0, 7, 1, 1, 3, 2, 4, 1000, 2000}));
  EXPECT_EQ(model.nodes.site, (std::vector<std::int32_t>{-1, -1, -1, 2, -1, 0, 3, 1, 4}));
  EXPECT_EQ(model.methods.name, (std::vector<std::string>{"log", "main", "work"}));
  EXPECT_EQ(model.sites.line, (std::vector<std::int32_t>{10, 12, 13, 20, 21}));
  EXPECT_EQ(model.totals.max_depth, 3u);
  EXPECT_EQ(model.totals.calls, 3018u);
  EXPECT_EQ(model.totals.contexts, 8u);
  EXPECT_TRUE(check_invariants(model).ok());
}

TEST(ModelBuilder, GivesTheSameRowsWhateverTheOrderOfIds) {
  DemoProgram renumbered;
  renumbered.tables = demo_program().tables;
  std::swap(renumbered.tables.methods[1], renumbered.tables.methods[3]);
  const DemoProgram original = demo_program();
  const auto swapped = [](ContextKey key) {
    const std::uint32_t id = raw(method_of(key));
    return id == 1 ? 3u : id == 3 ? 1u : id;
  };
  for (std::uint32_t i = 1; i < original.tree.node_count(); ++i) {
    const cct::ContextNode node = original.tree.node(NodeIndex{i});
    renumbered.tree.add(node.parent, raw(site_of(node.key)), swapped(node.key), node.calls);
  }
  for (ProgramTables::Thread& thread : renumbered.tables.threads) {
    thread.first_key = context_key(kNoSite, MethodId{swapped(thread.first_key)});
  }
  EXPECT_EQ(json(build(std::move(renumbered))), json(build(demo_program())));
}

TEST(ModelBuilder, ListsOnlyWhatOccurs) {
  DemoProgram demo = demo_program();
  demo.tables.methods.push_back({"demo.Never", "called", "()V", "", "app", {{1, 1}}});
  EXPECT_EQ(build(std::move(demo)).methods.name.size(), 3u);
}

TEST(ModelBuilder, PointsThreadsAtTheirFirstNode) {
  const ReportModel model = build(demo_program());
  ASSERT_EQ(model.threads.size(), 2u);
  EXPECT_EQ(model.threads[0].name, "main");
  EXPECT_EQ(model.threads[0].node, 2);
  EXPECT_EQ(model.threads[1].node, 1);
}

TEST(ModelBuilder, MergesContextsThatLookTheSame) {
  DemoProgram demo;
  demo.tables.methods = {{},
                         {"a.A", "f", "()V", "", "app", {{1, 5}}},
                         {"a.A", "f", "()V", "", "app", {{1, 5}}},  // a second loader of one class
                         {"a.B", "g", "()V", "", "app", {}}};
  const NodeIndex first = demo.tree.add(kRootNode, 0, 1, 10);
  const NodeIndex second = demo.tree.add(kRootNode, 0, 2, 20);
  demo.tree.add(first, 1, 3, 1);
  demo.tree.add(second, 1, 3, 2);
  demo.tables.calls_seen = 33;
  const ReportModel model = build(std::move(demo));
  EXPECT_EQ(model.nodes.calls, (std::vector<std::uint64_t>{0, 30, 3}));
  EXPECT_EQ(model.totals.contexts, 2u);
  EXPECT_TRUE(model.notes.empty());
}

TEST(ModelBuilder, IgnoresSitesWhenAskedTo) {
  DemoProgram demo = demo_program();
  demo.tables.with_sites = false;
  const ReportModel model = build(std::move(demo));
  EXPECT_TRUE(model.sites.method.empty());
  EXPECT_EQ(model.totals.calls, 3018u);
  EXPECT_EQ(model.totals.contexts, 7u);  // the two calls of work are one context
}

TEST(ModelBuilder, SaysLoudlyWhenTheSumIsWrong) {
  DemoProgram demo = demo_program();
  demo.tables.calls_lost = 0;
  const ReportModel model = build(std::move(demo));
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_NE(model.notes[0].find("DEFECT: the probes saw 3,020 calls"), std::string::npos);
}

TEST(ModelBuilder, NamesWhatTheTablesDoNotDescribe) {
  DemoProgram demo = demo_program();
  const NodeIndex stranger = demo.tree.add(kRootNode, 0, 9, 1);
  demo.tree.add(stranger, 4, 1, 1);
  demo.tables.calls_seen += 2;
  const ReportModel model = build(std::move(demo));
  EXPECT_EQ(model.methods.name.front(), "method-9");
  EXPECT_EQ(model.notes.size(), 2u);
  EXPECT_TRUE(check_invariants(model).ok());
}

TEST(ModelBuilder, ShowsEvictedContextsAsANodeOfTheirParent) {
  cct::Cct tree;
  const auto key = [](unsigned site, unsigned method) {
    return context_key(SiteOrdinal{static_cast<std::uint16_t>(site)}, MethodId{method});
  };
  const std::uint32_t main = tree.child(0, key(0, 1));
  tree.add_calls(main, 1);
  tree.add_calls(tree.child(main, key(1, 2)), 1000);
  for (unsigned method = 3; method <= 20; ++method)
    tree.add_calls(tree.child(main, key(2, method)), 2);
  ASSERT_TRUE(tree.evict_above(8));
  ProgramTables tables = demo_program().tables;
  tables.calls_seen = 1 + 1000 + 18 * 2;
  tables.calls_lost = 0;
  const Result<ReportModel> model = build_model(tree, std::move(tables));
  ASSERT_TRUE(model.ok());
  const Status sound = check_invariants(*model);
  EXPECT_TRUE(sound.ok()) << sound.message();
  std::uint64_t in_evicted = 0;
  for (std::size_t i = 1; i < model->nodes.calls.size(); ++i) {
    if (!is_evicted_method(model->methods, static_cast<std::size_t>(model->nodes.method[i])))
      continue;
    in_evicted += model->nodes.calls[i];
    EXPECT_EQ(model->nodes.site[i], -1);
  }
  EXPECT_GT(in_evicted, 0u);
  EXPECT_EQ(model->totals.evicted_calls, in_evicted);
  EXPECT_EQ(model->totals.evicted_contexts, in_evicted / 2);
  EXPECT_EQ(model->totals.calls, model->totals.calls_seen);
  const Result<ReportModel> read = read_json(json(*model), "report");
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read->totals.evicted_calls, in_evicted);
  EXPECT_EQ(json(*read), json(*model));
}

TEST(ModelBuilder, TellsHowManyMethodsRecursionWasMergedForAndTheMostCallsOnOnePath) {
  auto methods = std::make_shared<cct::MergedMethods>();
  ASSERT_TRUE(methods->add(std::vector{MethodId{1}, MethodId{3}}, 100));
  methods->saw_depth(MethodId{1}, 17);
  methods->saw_depth(MethodId{3}, 4);
  cct::Cct tree;
  tree.merge_recursion_of(methods);
  ProgramTables tables;
  tables.methods.resize(4);
  const Result<ReportModel> model = build_model(tree, std::move(tables));
  ASSERT_TRUE(model.ok()) << model.message();
  EXPECT_EQ(model->totals.merged_methods, 2u);
  EXPECT_EQ(model->totals.merged_depth_at_least, 17u);
  const Result<ReportModel> read = read_json(json(*model), "report");
  ASSERT_TRUE(read.ok()) << read.message();
  EXPECT_EQ(read->totals.merged_depth_at_least, 17u);
}

TEST(ModelBuilder, TurnsModifiedUtf8IntoUtf8) {
  DemoProgram demo = demo_program();
  demo.tables.methods[3].name = "x\xED\xA0\xBD\xED\xB8\x80\xC0\x80\xFFy";
  EXPECT_EQ(build(std::move(demo)).methods.name.front(),
            std::string("x\xF0\x9F\x98\x80\0\xEF\xBF\xBDy", 10));
}

TEST(ModelBuilder, StandsADeepTree) {
  DemoProgram demo;
  demo.tables.methods = {{}, {"a.A", "f", "()V", "", "app", {{1, 5}}}};
  NodeIndex node = kRootNode;
  for (int i = 0; i < 100'000; ++i) node = demo.tree.add(node, i == 0 ? 0 : 1, 1, 1);
  demo.tables.calls_seen = 100'000;
  const ReportModel model = build(std::move(demo));
  EXPECT_EQ(model.totals.max_depth, 100'000u);
  EXPECT_TRUE(check_invariants(model).ok());
}

TEST(ModelBuilder, GivesAnEmptyReportForAnEmptyTree) {
  const ReportModel model = build({});
  EXPECT_EQ(model.nodes.parent.size(), 1u);
  EXPECT_EQ(model.totals.calls, 0u);
  EXPECT_TRUE(check_invariants(model).ok());
}

}  // namespace
}  // namespace copse::report
