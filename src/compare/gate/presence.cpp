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
using Values = NumberColumn;

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

bool is_of_all(const Term& term) { return term.of.glob == "**" && !term.under; }

// Returns the reason why contexts can be missing in a report; "" means complete.
std::string why_incomplete(const ReportModel& about, const std::string& name, const Term& term,
                           bool evicted_alike) {
  const ReportModel::Totals& totals = about.totals;
  const std::string in_report = " in " + printable(name);
  if (totals.calls_lost != 0) return counted(totals.calls_lost, "call") + " lost" + in_report;
  // With all evicted contexts summed alike, those sums are compared like any context.
  if (totals.evicted_contexts != 0 &&
      !(evicted_alike && term.what == Term::What::kMoreContexts && is_of_all(term))) {
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

// Calls of the contexts of a report, over its runs.
class CallsOfRuns {
 public:
  CallsOfRuns(const Comparison& comparison, const ReportModel& about, bool is_new) {
    const auto values = [&](std::size_t measure) {
      return is_new ? &comparison.new_values(measure) : &comparison.old_values(measure);
    };
    least_ = greatest_ = values(0);
    if (about.program.runs <= 1) return;
    const std::string calls = report::kCallsMeasure;
    for (std::size_t i = 0; i < comparison.measures.size(); ++i) {
      if (comparison.measures[i].name == report::kLeast + calls) least_ = values(i);
      if (comparison.measures[i].name == report::kGreatest + calls) greatest_ = values(i);
    }
  }

  std::uint64_t least(std::size_t node) const { return (*least_)[node]; }
  std::uint64_t greatest(std::size_t node) const { return (*greatest_)[node]; }
  bool every_run_has(std::size_t node) const { return least(node) != 0 || greatest(node) == 0; }

 private:
  const Values* least_;
  const Values* greatest_;
};

}  // namespace

Presence presence_of(const Comparison& comparison, const Term& term, const Scope& scope) {
  const bool of_more = term.what == Term::What::kMoreContexts;
  const bool in_new =
      of_more || term.what == Term::What::kNewContexts || term.what == Term::What::kNewMethods;
  const bool of_methods =
      term.what == Term::What::kNewMethods || term.what == Term::What::kGoneMethods;
  const PresenceSides sides = sides_of(comparison, in_new);
  const CallsOfRuns runs(comparison, sides.has, in_new),
      runs_of_other(comparison, sides.lacks, !in_new);
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
        (!of_more && is_evicted_method(methods, method))) {
      continue;
    }
    if (of_methods) {
      if (is_in(node, !in_new)) other_has[method] = true;
      if (!is_in(node, in_new)) continue;
      if (first[method] < 0) first[method] = static_cast<std::int32_t>(node);
      if (runs.every_run_has(node)) is_certain[method] = true;
      continue;
    }
    const bool counts = of_more ? runs.greatest(node) > runs_of_other.least(node)
                                : is_in(node, in_new) && !is_in(node, !in_new);
    if (!counts) continue;
    const bool is_in_any_case =
        of_more ? runs.least(node) > runs_of_other.greatest(node) : runs.every_run_has(node);
    counts_above[node] = true;
    ++presence.value;
    presence.of_runs.least += is_in_any_case ? 1 : 0;
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

  if (const std::string why =
          why_incomplete(sides.has, sides.has_name, term, comparison.evicted_alike);
      !why.empty()) {
    presence.possible.is_bounded = false;
    presence.why_unknown = why;
  }
  if (const std::string why =
          why_incomplete(sides.lacks, sides.lacks_name, term, comparison.evicted_alike);
      !why.empty()) {
    presence.possible.least = 0;
    presence.why_unknown += (presence.why_unknown.empty() ? "" : "; ") + why;
  }
  return presence;
}

}  // namespace copse::gate
