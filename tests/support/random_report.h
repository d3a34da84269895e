// Random reports, as of runs of one program.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "report/model/model_builder.h"
#include "report/model/model_check.h"
#include "report/model/report_model.h"
#include "support/report_samples.h"

namespace copse::testing {

// Makes a random report. Reports of different seeds share names, as runs of one program do. Some methods stand for
// none (threads, evicted contexts) or have numbers of a compiler's. Sites, measures, threads, notes
// and options differ from report to report.
inline report::ReportModel random_report(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  DemoProgram program = random_program(seed, static_cast<std::uint32_t>(1 + below(300)));
  report::ProgramTables& tables = program.tables;
  for (std::size_t id = 1; id < tables.methods.size(); ++id) {
    report::ProgramTables::Method& method = tables.methods[id];
    method.loader = below(5) == 0 ? "other" : "app";
    if (below(4) == 0) method.name = "lambda$f$" + std::to_string(below(4));
    if (below(9) == 0) method.class_name = "jdk.proxy1.$Proxy" + std::to_string(below(3));
    // Three classes of code under four numbers.
    if (below(6) == 0) {
      method.class_name = "p.Outer$" + std::to_string(1 + below(4));
      method.stable_class = "p.Outer$*~f~00000000000" + std::to_string(below(3));
    }
    if (below(40) == 0) method.name = "<clinit>";
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
  Result<report::ReportModel> built = report::build_model(program.tree, std::move(tables));
  EXPECT_TRUE(built.ok());
  report::ReportModel model = std::move(built).value();
  // A method that calls nothing becomes the one of evicted contexts.
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
    model.methods.stable_class[row].clear();
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

}  // namespace copse::testing
