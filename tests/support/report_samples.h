// Trees and reports for tests: a tree given as a list, a small program with known counts, and
// random ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cct/context_tree.h"
#include "report/model/model_builder.h"
#include "report/model/program_tables.h"

namespace copse::testing {

class ListedTree final : public cct::ContextTree {
 public:
  ListedTree() { nodes_.push_back({kRootNode, 0, 0}); }

  NodeIndex add(NodeIndex parent, std::uint16_t site, std::uint32_t method, std::uint64_t calls) {
    nodes_.push_back({parent, context_key(SiteOrdinal{site}, MethodId{method}), calls});
    return NodeIndex{static_cast<std::uint32_t>(nodes_.size() - 1)};
  }
  std::uint32_t node_count() const noexcept override {
    return static_cast<std::uint32_t>(nodes_.size());
  }
  cct::ContextNode node(NodeIndex index) const noexcept override { return nodes_[raw(index)]; }
  std::uint64_t calls() const {
    std::uint64_t sum = 0;
    for (const cct::ContextNode& node : nodes_) sum += node.calls;
    return sum;
  }

 private:
  std::vector<cct::ContextNode> nodes_;
};

// demo.Main.main calls work twice from different lines and log once; work calls itself and log.
struct DemoProgram {
  ListedTree tree;
  report::ProgramTables tables;
};

inline DemoProgram demo_program() {
  enum : std::uint32_t { kMain = 1, kWork = 2, kLog = 3 };
  DemoProgram demo;
  ListedTree& t = demo.tree;
  const NodeIndex main = t.add(kRootNode, 0, kMain, 1);
  const NodeIndex work_late = t.add(main, 2, kWork, 1000);
  const NodeIndex log = t.add(main, 3, kLog, 1);
  const NodeIndex work_early = t.add(main, 1, kWork, 2);
  t.add(work_early, 1, kWork, 4);
  t.add(work_late, 2, kLog, 2000);
  const NodeIndex thread_log = t.add(kRootNode, 0, kLog, 7);
  t.add(log, 0, kMain, 3);  // an upcall: no site
  (void)thread_log;

  report::ProgramTables& p = demo.tables;
  p.created_by = "copse test";
  p.program = {
      {"java", "-cp", "x.jar", "demo.Main"}, 4711, "Test VM 1", "2026-11-21T08:00:00Z", 12.5};
  p.options = {{"engine", "parallel"}, {"sites", "true"}};
  p.methods = {{},
               {"demo.Main",
                "main",
                "([Ljava/lang/String;)V",
                "Main.java",
                "app",
                {{3, 10}, {8, 12}, {20, 13}}},
               {"demo.Main", "work", "(I)I", "Main.java", "app", {{5, 20}, {9, 21}}},
               {"demo.Log", "log", "()V", "Log.java", "app", {}}};
  p.threads = {{1, "main", context_key(kNoSite, MethodId{kMain}), 3011},
               {12, "logger", context_key(kNoSite, MethodId{kLog}), 7}};
  p.skipped = {{"demo.Huge", "parse()V", "too large"}, {"demo.Old", "", "jsr"}};
  p.calls_seen = 3020;
  p.calls_lost = 2;
  p.packets = 3;
  return demo;
}

inline report::ReportModel demo_model() {
  DemoProgram program = demo_program();
  return std::move(report::build_model(program.tree, std::move(program.tables))).value();
}

// A random tree over a random program. Depth and width vary with the seed; siblings have distinct
// keys, as every engine guarantees.
inline DemoProgram random_program(std::uint64_t seed, std::uint32_t nodes) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  DemoProgram made;
  report::ProgramTables& p = made.tables;
  const auto methods = static_cast<std::uint32_t>(2 + below(40));
  p.methods.resize(methods + 1);
  for (std::uint32_t id = 1; id <= methods; ++id) {
    report::ProgramTables::Method& m = p.methods[id];
    m.class_name = "p" + std::to_string(below(3)) + ".C" + std::to_string(id);
    m.name = "m" + std::to_string(below(5));
    m.descriptor = "()V";
    m.source = "C.java";
    m.loader = "app";
    for (std::uint64_t s = below(6); s > 0; --s) {
      m.sites.push_back({static_cast<std::int32_t>(s), static_cast<std::int32_t>(below(30)) - 1});
    }
  }
  const std::uint64_t reach = 1 + below(50);  // small: deep trees, large: wide ones
  std::vector<std::vector<ContextKey>> used(1);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const std::uint32_t count = made.tree.node_count();
    const auto parent =
        static_cast<std::uint32_t>(count - 1 - below(std::min<std::uint64_t>(count, reach)));
    const std::uint32_t caller = raw(method_of(made.tree.node(NodeIndex{parent}).key));
    const std::size_t sites = p.methods[caller].sites.size();
    const auto site = static_cast<std::uint16_t>(parent == 0 ? 0 : below(sites + 1));
    const auto method = static_cast<std::uint32_t>(1 + below(methods));
    const ContextKey key = context_key(SiteOrdinal{site}, MethodId{method});
    if (std::find(used[parent].begin(), used[parent].end(), key) != used[parent].end()) continue;
    used[parent].push_back(key);
    made.tree.add(NodeIndex{parent}, site, method, below(3) == 0 ? below(1'000'000) : 1);
    used.emplace_back();
  }
  p.calls_seen = made.tree.calls();
  return made;
}

// Gives the methods few classes and names, so that many are overloads: their types may differ in packages alone, and two
// methods in the result alone. `odd`: some types are in no package, or have the name of a primitive one.
inline void overload(report::ProgramTables& tables, std::uint64_t seed, bool odd) {
  std::mt19937_64 random(seed);
  const char* const types[] = {"I",        "[I",         "J",    "La/Id;", "Lb/Id;",
                               "[[Lb/Id;", "Lb/Id$Key;", "LId;", "Lint;"};
  const std::size_t used = std::size(types) - (odd ? 0 : 2);
  const auto type = [&] { return std::string(types[random() % used]); };
  std::set<std::string> taken;
  for (std::size_t i = 1; i < tables.methods.size(); ++i) {
    report::ProgramTables::Method& method = tables.methods[i];
    do {
      method.class_name = random() % 4 == 0 ? "C" : "p.C$" + std::to_string(random() % 2);
      method.name = random() % 2 == 0 ? "<init>" : "m";
      method.descriptor = "(";
      for (std::uint64_t left = random() % 3; left > 0; --left) method.descriptor += type();
      method.descriptor += random() % 2 == 0 ? ")V" : ")" + type();
    } while (!taken.insert(method.class_name + method.name + method.descriptor).second);
  }
}

}  // namespace copse::testing
