#include "diff/comparison.h"

#include <algorithm>
#include <utility>

#include "base/grouped.h"
#include "diff/moved_sites.h"
#include "identity/merged_names.h"
#include "identity/merged_nodes.h"
#include "report/row.h"

namespace copse::diff {
namespace {

using report::at;
using report::ReportModel;

const ReportModel::Measure* measure_named(const ReportModel& model, const std::string& name) {
  for (const ReportModel::Measure& measure : model.measures) {
    if (measure.name == name) return &measure;
  }
  return nullptr;
}

std::string whose_calls(const ReportModel& model) {
  return model.totals.calls_of.empty() ? "all calls" : "calls of " + model.totals.calls_of;
}

Status check_rules(const ReportModel& model, const std::string& name,
                   const identity::IdRules& rules) {
  if (model.merged.reports == 0 || model.merged.rules == in_words(rules)) return {};
  return Status::error(name + ": was merged by other rules, " + model.merged.rules +
                       "; give the same to --sites and --names");
}

Status check_both(const ReportModel& old_report, const std::string& old_name,
                  const ReportModel& new_report, const std::string& new_name) {
  if (old_report.totals.calls_of != new_report.totals.calls_of) {
    return Status::error(new_name + ": counts " + whose_calls(new_report) + ", and " + old_name +
                         " counts " + whose_calls(old_report) + ": they do not compare");
  }
  for (const ReportModel::Measure& measure : new_report.measures) {
    const ReportModel::Measure* same = measure_named(old_report, measure.name);
    if (same == nullptr || same->unit == measure.unit) continue;
    return Status::error(new_name + ": " + measure.name + " is in " + measure.unit + ", and in " +
                         same->unit + " in " + old_name + ": they do not compare");
  }
  constexpr std::uint64_t kMostRows = std::uint64_t{1} << 31;
  if (old_report.nodes.parent.size() + new_report.nodes.parent.size() > kMostRows) {
    return Status::error(new_name + ": has too many contexts: with those of " + old_name +
                         " there could be more than " + grouped(kMostRows));
  }
  return {};
}

// Of NEW in its order, then what OLD alone has.
std::vector<ComparedMeasure> measures_of(const ReportModel& old_report,
                                         const ReportModel& new_report) {
  std::vector<ComparedMeasure> measures{{report::kCallsMeasure,
                                         report::kCallsMeasure,
                                         true,
                                         true,
                                         old_report.totals.calls_lost,
                                         new_report.totals.calls_lost,
                                         {}}};
  for (const ReportModel::Measure& measure : new_report.measures) {
    const ReportModel::Measure* same = measure_named(old_report, measure.name);
    measures.push_back({measure.name,
                        measure.unit,
                        same != nullptr,
                        true,
                        same == nullptr ? 0 : same->lost,
                        measure.lost,
                        {}});
  }
  for (const ReportModel::Measure& measure : old_report.measures) {
    if (measure_named(new_report, measure.name) != nullptr) continue;
    measures.push_back({measure.name, measure.unit, true, false, measure.lost, 0, {}});
  }
  return measures;
}

const std::vector<std::uint64_t>* values_in(const ReportModel& model, const std::string& name) {
  const ReportModel::Measure* measure = measure_named(model, name);
  return measure == nullptr ? nullptr : &measure->values;
}

void take_columns(identity::MergedNodes& merged, Comparison& to) {
  // Calls of both are what the walk has summed.
  std::vector<std::uint64_t>& calls = merged.nodes.calls;
  std::vector<std::uint64_t>& old_calls = merged.measures[0];
  for (std::size_t node = 0; node < calls.size(); ++node) calls[node] -= old_calls[node];
  to.both.nodes = std::move(merged.nodes);
  to.measures[0].old_values = std::move(old_calls);
  for (std::size_t i = 1; i < to.measures.size(); ++i) {
    to.measures[i].old_values = std::move(merged.measures[2 * i - 1]);
    ReportModel::Measure& both = to.both.measures[i - 1];
    both.values = std::move(merged.measures[2 * i]);
  }
}

void forget_tree(ReportModel& model) {
  model.methods = {};
  model.sites = {};
  model.nodes = {};
  model.threads = {};
  for (ReportModel::Measure& measure : model.measures) measure.values = {};
}

void name_displaced(const MovedSites& moved, ReportModel::Sites& sites) {
  for (std::size_t row = 0; row < sites.bci.size(); ++row) {
    const std::int32_t place = std::max(sites.bci[row], sites.line[row]) - moved.first_free;
    if (place < 0 || at(place) >= moved.displaced.size()) continue;
    sites.bci[row] = moved.displaced[at(place)].bci;
    sites.line[row] = moved.displaced[at(place)].line;
  }
}

void lay_over(ReportModel old_report, ReportModel new_report, const MovedSites& moved,
              Comparison& to) {
  const std::vector<const ReportModel*> parts{&old_report, &new_report};
  std::vector<std::vector<const std::vector<std::uint64_t>*>> columns{
      {&old_report.nodes.calls, nullptr}};
  for (std::size_t i = 1; i < to.measures.size(); ++i) {
    columns.push_back({values_in(old_report, to.measures[i].name), nullptr});
    columns.push_back({nullptr, values_in(new_report, to.measures[i].name)});
  }
  identity::MergedNames names = identity::merged_names(parts, to.rules);
  identity::MergedNodes merged = identity::merged_nodes(parts, names, columns);
  forget_tree(old_report);
  to.old_about = std::move(old_report);
  to.both = std::move(new_report);
  for (std::size_t i = 0; i < to.both.threads.size(); ++i) {
    to.both.threads[i].node = merged.thread_nodes[1][i];
  }
  to.both.methods = std::move(names.methods);
  to.both.sites = std::move(names.sites);
  name_displaced(moved, to.both.sites);
  for (std::size_t i = to.both.measures.size() + 1; i < to.measures.size(); ++i) {
    to.both.measures.push_back({to.measures[i].name, to.measures[i].unit, 0, {}});
  }
  to.presence = std::move(merged.parts);
  take_columns(merged, to);
}

}  // namespace

Result<Comparison> compare(ReportModel old_report, const std::string& old_name,
                           ReportModel new_report, const std::string& new_name,
                           const CompareOptions& options) {
  for (const auto& [model, name] :
       {std::pair{&old_report, &old_name}, std::pair{&new_report, &new_name}}) {
    if (Status status = check_rules(*model, *name, options.rules); !status) return status;
  }
  if (Status status = check_both(old_report, old_name, new_report, new_name); !status) {
    return status;
  }
  Comparison comparison;
  comparison.old_name = old_name;
  comparison.new_name = new_name;
  comparison.rules = options.rules;
  comparison.measures = measures_of(old_report, new_report);
  comparison.renamed =
      adopt_names(old_report, new_report, options.rules.names, options.find_moved_code);
  MovedSites moved;
  if (options.find_moved_code) moved = adopt_sites(old_report, new_report, options.rules);
  comparison.moved_sites = moved.moved;
  lay_over(std::move(old_report), std::move(new_report), moved, comparison);
  return comparison;
}

}  // namespace copse::diff
