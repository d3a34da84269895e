// Random rules on random reports: the verdict is that of plain code over the paths of both reports, which
// knows nothing of trees, spans or globs but glob_matches().
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/glob.h"
#include "report/model/model_builder.h"
#include "report/model/row.h"
#include "support/gate_reports.h"
#include "support/report_samples.h"

namespace copse::gate {
namespace {

using report::at;
using report::ReportModel;

// Calls and a measure, by path: what a person would write down of a report.
struct PathFrame {
  std::string class_name, method;
  int bci;
  auto operator<=>(const PathFrame&) const = default;
};
using PlainPath = std::vector<PathFrame>;
struct PlainAmounts {
  std::int64_t calls = 0, waits = 0;
};
using PlainReport = std::map<PlainPath, PlainAmounts>;

PlainReport paths_of(const ReportModel& model) {
  PlainReport paths;
  std::vector<PlainPath> of_node(model.nodes.parent.size());
  for (std::size_t node = 1; node < of_node.size(); ++node) {
    of_node[node] = of_node[at(model.nodes.parent[node])];
    const std::size_t method = at(model.nodes.method[node]);
    const std::int32_t site = model.nodes.site[node];
    of_node[node].push_back({model.methods.class_name[method], model.methods.name[method],
                             site < 0 ? -1 : model.sites.bci[at(site)]});
    PlainAmounts& amounts = paths[of_node[node]];
    amounts.calls += static_cast<std::int64_t>(model.nodes.calls[node]);
    amounts.waits += static_cast<std::int64_t>(model.measures[0].values[node]);
  }
  return paths;
}

struct PlainRule {
  std::string measure;  // "calls", "waits", "new contexts" and so on
  std::string glob, under;
};

std::string spelled_out(const PlainRule& rule) {
  return rule.measure + "(" + rule.glob + "?)" +
         (rule.under.empty() ? "" : " under " + rule.under + "?");
}

bool is_of(const PathFrame& frame, const std::string& glob) {
  const std::string simple = frame.class_name.substr(frame.class_name.rfind('.') + 1);
  return glob_matches(glob, frame.class_name) || glob_matches(glob, simple) ||
         glob_matches(glob, frame.class_name + "." + frame.method) ||
         glob_matches(glob, simple + "." + frame.method);
}

// Returns true if the rule is about the i-th frame.
bool is_meant(const PlainPath& path, std::size_t i, const PlainRule& rule) {
  if (!is_of(path[i], rule.glob)) return false;
  if (rule.under.empty()) return true;
  return std::any_of(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(i),
                     [&](const PathFrame& frame) { return is_of(frame, rule.under); });
}

std::int64_t sum(const PlainReport& report, const PlainRule& rule) {
  std::int64_t sum = 0;
  for (const auto& [path, amounts] : report) {
    if (rule.measure == "calls") {
      if (is_meant(path, path.size() - 1, rule)) sum += amounts.calls;
      continue;
    }
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (!is_meant(path, i, rule)) continue;
      sum += amounts.waits;
      break;
    }
  }
  return sum;
}

std::set<PlainPath> meant_paths(const PlainReport& report, const PlainRule& rule) {
  std::set<PlainPath> paths;
  for (const auto& [path, amounts] : report) {
    if (is_meant(path, path.size() - 1, rule)) paths.insert(path);
  }
  return paths;
}
std::set<std::pair<std::string, std::string>> meant_methods(const PlainReport& report,
                                                            const PlainRule& rule) {
  std::set<std::pair<std::string, std::string>> methods;
  for (const PlainPath& path : meant_paths(report, rule)) {
    methods.emplace(path.back().class_name, path.back().method);
  }
  return methods;
}
template <typename Set>
std::int64_t only_in(const Set& one, const Set& other) {
  return static_cast<std::int64_t>(std::count_if(
      one.begin(), one.end(), [&](const auto& item) { return !other.contains(item); }));
}

bool holds_between(std::int64_t a, const std::string& symbol, std::int64_t b) {
  return symbol == ">"    ? a > b
         : symbol == ">=" ? a >= b
         : symbol == "<"  ? a < b
         : symbol == "<=" ? a <= b
         : symbol == "==" ? a == b
                          : a != b;
}

// The rule says: now / now_by is, by `symbol`, what before / before_by and the number make.
struct PlainNumbers {
  std::int64_t before = 0, now = 0, before_by = 1, now_by = 1;
};
Verdict plain_verdict(const PlainNumbers& of, const std::string& symbol, const std::string& sign,
                      std::int64_t number, bool is_share) {
  if (of.now == 0 && of.now_by == 0) return Verdict::kCannotSay;
  if (!sign.empty() && of.before_by == 0) return Verdict::kCannotSay;
  const auto verdict = [](bool breaks) { return breaks ? Verdict::kBroken : Verdict::kHolds; };
  if (of.now_by == 0) return verdict(holds_between(1, symbol, 0));  // more than any number
  if (sign == "-") number = -number;
  if (sign.empty()) return verdict(holds_between(of.now, symbol, number * of.now_by));
  const std::int64_t bound =
      is_share ? of.before * (100 + number) : 100 * (of.before + number * of.before_by);
  return verdict(holds_between(100 * of.now * of.before_by, symbol, bound * of.now_by));
}

// Makes a report of a random program: `seed` decides its methods and sites, `other` its calls and some contexts.
ReportModel random_gate_report(std::uint64_t seed, std::uint64_t other) {
  std::mt19937_64 random(seed * 1'000 + other);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  testing::DemoProgram program = testing::random_program(seed, 60);
  report::ProgramTables& tables = program.tables;
  for (std::size_t id = 1; id < tables.methods.size(); ++id) {
    tables.methods[id].class_name = "p" + std::to_string(id % 3) + ".C" + std::to_string(id % 7);
    tables.methods[id].name = "m" + std::to_string(id);
  }
  testing::ListedTree tree;
  std::vector<NodeIndex> kept{kRootNode};
  std::vector<bool> is_kept{true};
  for (std::uint32_t node = 1; node < program.tree.node_count(); ++node) {
    const cct::ContextNode from = program.tree.node(NodeIndex{node});
    is_kept.push_back(is_kept[raw(from.parent)] && below(12) != 0);
    kept.push_back(kRootNode);
    if (!is_kept.back()) continue;
    kept.back() =
        tree.add(kept[raw(from.parent)], static_cast<std::uint16_t>(raw(site_of(from.key))),
                 raw(method_of(from.key)), below(3) == 0 ? below(5) : 2);
  }
  std::vector<std::uint64_t> waits;
  for (std::uint32_t node = 0; node < tree.node_count(); ++node) waits.push_back(below(4));
  tables.measures = {{"waits", "events", 0, waits}};
  tables.calls_seen = tree.calls();
  Result<ReportModel> built = report::build_model(tree, std::move(tables));
  EXPECT_TRUE(built.ok());
  return std::move(built).value();
}

TEST(Gate, SaysWhatPlainCodeSaysOfThePaths) {
  const std::uint64_t first_seed = std::random_device{}() % 1'000'000;
  std::map<Verdict, int> seen;
  for (std::uint64_t seed = first_seed; seed < first_seed + 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ReportModel before = random_gate_report(seed, 1), now = random_gate_report(seed, 2);
    // A report without calls allows no verdict.
    if (before.totals.calls == 0 || now.totals.calls == 0) continue;
    const PlainReport plain_before = paths_of(before), plain_now = paths_of(now);
    Result<diff::Comparison> comparison =
        diff::compare(before, "old", now, "new", {.rules = {}, .renames = {}});
    ASSERT_TRUE(comparison.ok());
    std::mt19937_64 random(seed);
    const auto one_of = [&](const std::vector<std::string>& all) {
      return all[random() % all.size()];
    };
    const auto glob = [&] {
      return one_of({"**", "p1.**", "p*.C2", "C3", "C4.m*", "**.m1*", "*.m2*", "p2.C1.m8", "C*"});
    };
    for (int round = 0; round < 40; ++round) {
      PlainRule rule{one_of({"calls", "waits", "new contexts", "gone contexts", "new methods",
                             "gone methods"}),
                     glob(), random() % 2 == 0 ? glob() : ""};
      const bool is_measure = rule.measure == "calls" || rule.measure == "waits";
      const std::string symbol = one_of({">", ">=", "<", "<=", "==", "!="});
      const auto number = static_cast<std::int64_t>(random() % (is_measure ? 40 : 6));
      const std::string sign = is_measure ? one_of({"", "+", "-"}) : "";
      const bool is_share = !sign.empty() && random() % 2 == 0;
      const bool is_quotient = is_measure && random() % 3 == 0;
      const PlainRule divisor{one_of({"calls", "waits"}), glob(), random() % 2 == 0 ? glob() : ""};
      const std::string text = spelled_out(rule) +
                               (is_quotient ? " / " + spelled_out(divisor) : "") + " " + symbol +
                               " " + sign + std::to_string(number) + (is_share ? "%" : "");
      SCOPED_TRACE(text);
      PlainNumbers numbers;
      if (is_measure) {
        numbers.now = sum(plain_now, rule);
        numbers.before = sum(plain_before, rule);
      } else {
        const bool is_new = rule.measure.starts_with("new");
        const PlainReport &one = is_new ? plain_now : plain_before,
                          &other = is_new ? plain_before : plain_now;
        numbers.now = rule.measure.ends_with("contexts")
                          ? only_in(meant_paths(one, rule), meant_paths(other, rule))
                          : only_in(meant_methods(one, rule), meant_methods(other, rule));
      }
      if (is_quotient) {
        numbers.now_by = sum(plain_now, divisor);
        numbers.before_by = sum(plain_before, divisor);
      }
      const Outcome outcome = evaluate(testing::rule_of(text), *comparison);
      EXPECT_EQ(outcome.verdict, plain_verdict(numbers, symbol, sign, number, is_share))
          << outcome.values << outcome.why;
      ++seen[outcome.verdict];
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(seen[Verdict::kBroken], 100) << "the rules are ones that can be broken";
  EXPECT_GT(seen[Verdict::kHolds], 100);
  EXPECT_GT(seen[Verdict::kCannotSay], 0) << "nothing to divide by";
}

}  // namespace
}  // namespace copse::gate
