#include "compare/gate/presence.h"

#include "base/grouped.h"
#include "base/printable.h"
#include "compare/gate/method_pattern.h"
#include "report/model/row.h"

namespace copse::gate {
namespace {

using diff::Comparison;
using report::at;
using report::ReportModel;
using Values = std::vector<std::uint64_t>;

// The report that has the contexts, and the other one.
struct PresenceSides {
  bool in_new;
  const ReportModel& has;
  const std::string& has_name;
  const ReportModel& lacks;
  const std::string& lacks_name;
};

PresenceSides sides_of(const Comparison& c, bool in_new) {
  if (in_new) return {true, c.both, c.new_name, c.old_about, c.old_name};
  return {false, c.old_about, c.old_name, c.both, c.new_name};
}

// Returns the reason why contexts can be missing in a report; "" means complete.
std::string why_incomplete(const ReportModel& about, const std::string& name, const Term& term) {
  const ReportModel::Totals& totals = about.totals;
  const std::string in_report = " in " + printable(name);
  if (totals.calls_lost != 0) return counted(totals.calls_lost, "call") + " lost" + in_report;
  if (totals.evicted_contexts != 0) {
    return counted(totals.evicted_contexts, "context") + " evicted" + in_report;
  }
  if (totals.merged_methods != 0) {
    return "recursion of " + counted(totals.merged_methods, "method") + " merged" + in_report;
  }
  if (term.of.glob == "**") return "";
  std::string skipped = skipped_match(about.skipped, term.of.glob);
  if (skipped.empty() && term.under) skipped = skipped_match(about.skipped, term.under->glob);
  return skipped.empty() ? "" : skipped + " is not recorded" + in_report;
}

// Tells if a context is in every run, by the columns of least and greatest calls when there are
// several runs.
class EveryRun {
 public:
  EveryRun(const Comparison& comparison, const PresenceSides& sides) {
    if (sides.has.program.runs <= 1) return;
    const std::string calls = report::kCallsMeasure;
    for (std::size_t i = 0; i < comparison.measures.size(); ++i) {
      const Values& values = sides.in_new ? comparison.new_values(i) : comparison.old_values(i);
      if (comparison.measures[i].name == report::kLeast + calls) least_ = &values;
      if (comparison.measures[i].name == report::kGreatest + calls) greatest_ = &values;
    }
  }

  bool has(std::size_t node) const {
    if (least_ == nullptr || greatest_ == nullptr) return true;
    return (*least_)[node] != 0 || (*greatest_)[node] == 0;
  }

 private:
  const Values* least_ = nullptr;
  const Values* greatest_ = nullptr;
};

}  // namespace

Presence presence_of(const Comparison& comparison, const Term& term, const Scope& scope) {
  const bool in_new = term.what == Term::What::kNewContexts || term.what == Term::What::kNewMethods;
  const bool of_methods =
      term.what == Term::What::kNewMethods || term.what == Term::What::kGoneMethods;
  const PresenceSides sides = sides_of(comparison, in_new);
  const EveryRun every_run(comparison, sides);
  const ReportModel::Nodes& nodes = comparison.both.nodes;
  const ReportModel::Methods& methods = comparison.both.methods;
  const auto is_in = [&](std::size_t node, bool new_one) {
    return new_one ? comparison.in_new(node) : comparison.in_old(node);
  };

  Presence presence;
  std::vector<bool> counts_above(nodes.parent.size());  // or the node itself counts
  std::vector<bool> other_has(of_methods ? methods.name.size() : 0), is_certain(other_has.size());
  std::vector<std::int32_t> first(other_has.size(), -1);
  for (std::size_t node = 1; node < counts_above.size(); ++node) {
    const std::size_t method = at(nodes.method[node]);
    const bool is_topmost = !counts_above[at(nodes.parent[node])];
    counts_above[node] = !is_topmost;
    if (!scope.is_meant(node) || methods.class_name[method].empty() ||
        is_evicted_method(methods, method)) {
      continue;
    }
    if (of_methods) {
      if (is_in(node, !in_new)) other_has[method] = true;
      if (!is_in(node, in_new)) continue;
      if (first[method] < 0) first[method] = static_cast<std::int32_t>(node);
      if (every_run.has(node)) is_certain[method] = true;
      continue;
    }
    if (!is_in(node, in_new) || is_in(node, !in_new)) continue;
    counts_above[node] = true;
    ++presence.value;
    presence.of_runs.least += every_run.has(node) ? 1 : 0;
    // A context below a counted one is a consequence of it.
    if (is_topmost) presence.nodes.push_back(static_cast<std::int32_t>(node));
  }
  for (std::size_t method = 0; method < first.size(); ++method) {
    if (first[method] < 0 || other_has[method]) continue;
    ++presence.value;
    presence.of_runs.least += is_certain[method] ? 1 : 0;
    presence.nodes.push_back(first[method]);
  }
  presence.of_runs.greatest = presence.possible.greatest = presence.value;
  presence.possible.least = presence.of_runs.least;

  if (const std::string why = why_incomplete(sides.has, sides.has_name, term); !why.empty()) {
    presence.possible.is_bounded = false;
    presence.why_unknown = why;
  }
  if (const std::string why = why_incomplete(sides.lacks, sides.lacks_name, term); !why.empty()) {
    presence.possible.least = 0;
    presence.why_unknown += (presence.why_unknown.empty() ? "" : "; ") + why;
  }
  return presence;
}

}  // namespace copse::gate
