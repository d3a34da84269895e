// Sums of random reports: the same bytes in whatever order, and the sums that stable ids give.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "identity/merge.h"
#include "identity/stable_ids.h"
#include "report/json_reader.h"
#include "report/json_writer.h"
#include "report/model_builder.h"
#include "report/model_check.h"
#include "support/report_samples.h"

namespace copse::identity {
namespace {

using report::ReportModel;

std::string json(const ReportModel& model) {
  report::StringOutput out;
  report::write_json(model, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

// Names of one seed are those of others, as of runs of one program. Some methods are what stands for
// none (threads, evicted contexts) or have numbers of a compiler's; sites, measures, threads, notes
// and options are not the same in all.
ReportModel random_report(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  testing::DemoProgram program =
      testing::random_program(seed, static_cast<std::uint32_t>(1 + below(300)));
  report::ProgramTables& tables = program.tables;
  for (std::size_t id = 1; id < tables.methods.size(); ++id) {
    report::ProgramTables::Method& method = tables.methods[id];
    method.loader = below(5) == 0 ? "other" : "app";
    if (below(4) == 0) method.name = "lambda$f$" + std::to_string(below(4));
    if (below(9) == 0) method.class_name = "jdk.proxy1.$Proxy" + std::to_string(below(3));
    if (below(12) == 0) method = {"", "[pool-*]", "", "", "", method.sites};
  }
  const std::uint32_t nodes = program.tree.node_count();
  for (const char* name : {"cpu_ns", "allocated_bytes"}) {
    if (below(3) == 0) continue;
    std::vector<std::uint64_t> values;
    for (std::uint32_t node = 0; node < nodes; ++node) values.push_back(below(4) * below(1000));
    tables.measures.push_back({name, "ns", below(5), values});
  }
  if (below(2) == 0) std::reverse(tables.measures.begin(), tables.measures.end());
  tables.created_by = "copse test";
  tables.program = {{"java", below(2) == 0 ? "A" : "B"},
                    static_cast<std::int64_t>(below(3)),
                    "VM",
                    "2026-0" + std::to_string(1 + below(9)),
                    static_cast<double>(below(100'000)) / 7.0};
  tables.options = {{"engine", below(2) == 0 ? "inline" : "parallel"}, {"jdk", "false"}};
  for (std::uint64_t i = below(4); i > 0; --i) {
    const auto first = static_cast<std::uint32_t>(1 + below(nodes));
    tables.threads.push_back(
        {static_cast<std::int64_t>(below(3)), "t" + std::to_string(below(3)),
         first < nodes ? program.tree.node(NodeIndex{first}).key : ContextKey{}, below(9), 1});
  }
  if (below(3) == 0) tables.threads.push_back({0, "other threads: 4", ContextKey{}, 5, 4});
  if (below(2) == 0) tables.notes = {"z" + std::to_string(below(2)), "a"};
  if (below(2) == 0) tables.skipped = {{"S", "m()V", below(2) == 0 ? "large" : "jsr"}};
  const std::uint64_t lost = below(4);
  tables.calls_lost = lost;
  tables.calls_seen += lost;
  Result<ReportModel> built = report::build_model(program.tree, std::move(tables));
  EXPECT_TRUE(built.ok());
  ReportModel model = std::move(built).value();
  // Some method that calls nothing becomes that of evicted contexts.
  std::vector<bool> calls_something(model.methods.name.size());
  for (std::size_t row = 1; row < model.nodes.parent.size(); ++row) {
    const auto parent = static_cast<std::size_t>(model.nodes.parent[row]);
    if (parent != 0) calls_something[static_cast<std::size_t>(model.nodes.method[parent])] = true;
  }
  const auto leaf = std::find(calls_something.begin(), calls_something.end(), false);
  if (leaf != calls_something.end() && below(2) == 0) {
    const auto row = static_cast<std::size_t>(leaf - calls_something.begin());
    model.methods.class_name[row] = report::kEvictedClass;
    model.methods.name[row] = report::kEvictedName;
    model.methods.descriptor[row].clear();
    for (std::size_t node = 1; node < model.nodes.method.size(); ++node) {
      if (model.nodes.method[node] == static_cast<std::int32_t>(row)) {
        model.totals.evicted_calls += model.nodes.calls[node];
      }
    }
    model.totals.evicted_contexts = 1 + below(9);
  }
  EXPECT_TRUE(report::check_invariants(model).ok());
  return model;
}

// As a command would, through a file.
ReportModel sum(const std::vector<ReportModel>& parts, const IdRules& rules) {
  Merge merge(rules);
  for (const ReportModel& part : parts) {
    const Status status = merge.add(part, part.program.started);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  Result<ReportModel> read = report::read_json(json(merge.take()), "sum");
  EXPECT_TRUE(read.ok()) << read.message();
  return std::move(read).value();
}

std::map<StableId, std::vector<std::uint64_t>> amounts(const ReportModel& model,
                                                       const IdRules& rules) {
  std::map<StableId, std::vector<std::uint64_t>> sums;
  const std::vector<StableId> ids = stable_ids(model, rules);
  for (std::size_t row = 0; row < ids.size(); ++row) {
    std::vector<std::uint64_t>& of = sums[ids[row]];
    of.resize(3);
    of[0] += model.nodes.calls[row];
    for (const ReportModel::Measure& measure : model.measures) {
      of[measure.name == "cpu_ns" ? 1 : 2] += measure.values[row];
    }
  }
  return sums;
}

class Sums : public ::testing::TestWithParam<IdRules> {};

TEST_P(Sums, AreTheSameBytesInEveryOrderAndThoseOfStableIds) {
  const IdRules rules = GetParam();
  const std::uint64_t first_seed = std::random_device{}();
  for (std::uint64_t seed = first_seed; seed < first_seed + 120; seed += 3) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ReportModel a = random_report(seed), b = random_report(seed + 1),
                      c = random_report(seed + 2);
    const ReportModel all = sum({a, b, c}, rules);
    const std::string bytes = json(all);
    EXPECT_EQ(json(sum({c, a, b}, rules)), bytes);
    EXPECT_EQ(json(sum({sum({b, c}, rules), a}, rules)), bytes);
    EXPECT_EQ(json(sum({c, sum({a, b}, rules)}, rules)), bytes);
    EXPECT_EQ(all.totals.calls_seen, all.totals.calls + all.totals.calls_lost);

    auto expected = amounts(a, rules);
    for (const ReportModel* part : {&b, &c}) {
      for (const auto& [id, of_part] : amounts(*part, rules)) {
        std::vector<std::uint64_t>& of = expected[id];
        of.resize(3);
        for (std::size_t i = 0; i < of.size(); ++i) of[i] += of_part[i];
      }
    }
    if (rules.sites != Sites::kNone) {
      EXPECT_EQ(amounts(all, rules), expected);
      EXPECT_EQ(all.nodes.parent.size(), expected.size());
    }
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(AllRules, Sums,
                         ::testing::Values(IdRules{}, IdRules{Sites::kLine, Names::kNormalised},
                                           IdRules{Sites::kNone, Names::kNormalised},
                                           IdRules{Sites::kBytecodeIndex, Names::kExact}));

}  // namespace
}  // namespace copse::identity
