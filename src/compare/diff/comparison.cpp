#include "compare/diff/comparison.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "base/make_room.h"
#include "compare/diff/event_names.h"
#include "compare/diff/numbered_classes.h"
#include "compare/identity/merged_names.h"
#include "compare/identity/merged_nodes.h"
#include "report/model/measure_view.h"
#include "report/model/per_call.h"
#include "report/model/report_builder.h"
#include "report/model/row.h"

namespace copse::diff {
namespace {

using report::at;
using report::ReportModel;

Status check_rules(const ReportModel& model, const std::string& name,
                   const identity::IdRules& rules) {
  if (model.merged.reports == 0) return {};
  const std::optional<identity::IdRules> own = identity::rules_in_words(model.merged.rules);
  // A sum by call sites has callers and callees, too.
  const bool has_sites =
      own && (own->sites == rules.sites || rules.sites == identity::Sites::kNone);
  if (has_sites && own->names == rules.names) return {};
  return Status::error(Fault::kRefused, name + ": was merged by other rules, " +
                                            model.merged.rules +
                                            "; give the same to --sites and --names");
}

// An empty report still has the column of calls, all zero.
bool counts_calls(const ReportModel& model) {
  return model.totals.calls_seen != 0 || !model.totals.calls_of.empty() ||
         model.nodes.parent.size() <= 1;
}

// Returns the measures of NEW in their order, then those only in OLD.
std::vector<ComparedMeasure> measures_of(const ReportModel& old_report,
                                         const ReportModel& new_report) {
  std::vector<ComparedMeasure> measures{
      {report::kCallsMeasure, report::kCallsMeasure, counts_calls(old_report),
       counts_calls(new_report), old_report.totals.calls_lost, new_report.totals.calls_lost}};
  for (const ReportModel::Measure& measure : new_report.measures) {
    const ReportModel::Measure* same = old_report.find_measure(measure.name);
    measures.push_back({measure.name, measure.unit, same != nullptr, true,
                        same == nullptr ? 0 : same->lost, measure.lost});
  }
  for (const ReportModel::Measure& measure : old_report.measures) {
    if (new_report.find_measure(measure.name) != nullptr) continue;
    measures.push_back({measure.name, measure.unit, true, false, measure.lost, 0});
  }
  return measures;
}

NumberColumn taken(NumberColumn& values, const std::vector<std::int32_t>& row_of,
                   std::size_t rows) {
  NumberColumn sums = report::sums_by_row(values, row_of, rows);
  give_back(values);
  return sums;
}

// Sets the values of all measures by row of `both`. Handles one report after the other, so few
// columns exist twice.
void take_columns(ReportModel& old_report, std::vector<std::vector<std::int32_t>>& row_of,
                  Comparison& to) {
  const std::size_t rows = to.both.nodes.parent.size();
  to.measures[0].old_values = taken(old_report.nodes.calls, row_of[0], rows);
  for (std::size_t i = 1; i < to.measures.size(); ++i) {
    NumberColumn none;
    auto* before = old_report.find_measure(to.measures[i].name);
    to.measures[i].old_values = taken(before == nullptr ? none : before->values, row_of[0], rows);
    if (before != nullptr) to.measures[i].old_of_threads = std::move(before->of_threads);
  }
  give_back(row_of[0]);
  to.both.nodes.calls = taken(to.both.nodes.calls, row_of[1], rows);
  for (ReportModel::Measure& measure : to.both.measures) {
    measure.values = taken(measure.values, row_of[1], rows);
  }
  for (std::size_t i = 0; i < to.measures.size(); ++i) {
    to.measures[i].old_whole = sum_of(to.old_values(i));
    to.measures[i].new_whole = sum_of(to.new_values(i));
  }
}

// Takes the numbers of calls in slices; the contexts of slices are no subject of a comparison.
ReportSlices taken_slices(ReportModel& model) {
  const ReportModel::Slices slices = std::move(model.slices);
  model.slices = {};
  ReportSlices taken{slices.keep != 0, slices.in_part + slices.open, {}};
  const ReportModel::Methods& methods = model.methods;
  for (std::size_t i = 0; i < slices.calls.of.size(); ++i) {
    const std::size_t of = at(slices.calls.of[i]), called = at(slices.calls.method[i]);
    taken.calls.push_back({slices.calls.of[i], methods.class_name[of], methods.name[of],
                           methods.class_name[called], methods.name[called], slices.calls.most[i],
                           slices.calls.most_in[i]});
  }
  return taken;
}

void forget_tree(ReportModel& model) {
  model.methods = {};
  give_back(model.nodes.parent);
  give_back(model.nodes.method);
}

void forget_sites(ReportModel& model) {
  model.sites = {};
  give_back(model.nodes.site);
}

std::vector<std::uint8_t> presence(const identity::MergedNodes& merged) {
  std::vector<std::uint8_t> bits(merged.nodes.parent.size());
  for (std::size_t part = 0; part < 2; ++part) {
    for (const std::int32_t row : merged.row_of[part]) {
      bits[at(row)] |= part == 0 ? Comparison::kInOld : Comparison::kInNew;
    }
  }
  return bits;
}

// Returns, by row of `both`, the call site that all nodes of a report at this row have; -1 where they differ or have none.
std::vector<std::int32_t> common_sites(const ReportModel& report,
                                       const std::vector<std::int32_t>& row_of, std::size_t rows) {
  constexpr std::int32_t kUnset = -2;
  std::vector<std::int32_t> sites(rows, kUnset);
  for (std::size_t node = 0; node < row_of.size(); ++node) {
    std::int32_t& site = sites[at(row_of[node])];
    const std::int32_t own = report.nodes.site[node];
    site = site == kUnset || site == own ? own : -1;
  }
  std::ranges::replace(sites, kUnset, -1);
  return sites;
}

// Where call sites tell no contexts apart, a context still shows the one place from which it is called: NEW's, or OLD's
// where NEW does not have it.
void show_sites(const std::vector<const ReportModel*>& reports,
                const std::vector<std::uint8_t>& presence, identity::MergedNames& names,
                identity::MergedNodes& merged) {
  for (const std::size_t side : {1u, 0u}) {
    const ReportModel::Sites& from = reports[side]->sites;
    const std::vector<std::int32_t> common =
        common_sites(*reports[side], merged.row_of[side], presence.size());
    std::vector<std::int32_t> now(from.method.size(), -1);
    for (std::size_t row = 0; row < presence.size(); ++row) {
      if (common[row] < 0 || (side == 0 && (presence[row] & Comparison::kInNew) != 0)) continue;
      const std::size_t site = at(common[row]);
      if (now[site] < 0) {
        now[site] = static_cast<std::int32_t>(names.sites.method.size());
        names.sites.method.push_back(names.method_of[side][at(from.method[site])]);
        names.sites.bci.push_back(from.bci[site]);
        names.sites.line.push_back(from.line[site]);
      }
      merged.nodes.site[row] = now[site];
    }
  }
  report::renumber(report::sort_names(names.methods, names.sites).site, merged.nodes.site);
}

void lay_over(ReportModel old_report, ReportModel new_report, Comparison& to) {
  const std::vector<const ReportModel*> parts{&old_report, &new_report};
  identity::MergedNames names = identity::merged_names(parts, to.rules);
  identity::MergedNodes merged = identity::merged_nodes(parts, names);
  to.presence = presence(merged);
  std::vector<std::string> sources = std::move(new_report.methods.source);
  std::vector<std::string> loaders = std::move(new_report.methods.loader);
  for (ReportModel* const report : {&old_report, &new_report}) forget_tree(*report);
  if (to.rules.sites == identity::Sites::kNone) show_sites(parts, to.presence, names, merged);
  for (ReportModel* const report : {&old_report, &new_report}) forget_sites(*report);
  // NEW's, where they differ.
  for (std::size_t row = sources.size(); row-- > 0;) {
    names.methods.source[at(names.method_of[1][row])] = std::move(sources[row]);
    names.methods.loader[at(names.method_of[1][row])] = std::move(loaders[row]);
  }
  to.both = std::move(new_report);
  to.both.methods = std::move(names.methods);
  to.both.sites = std::move(names.sites);
  for (std::size_t i = to.both.measures.size() + 1; i < to.measures.size(); ++i) {
    to.both.measures.push_back({to.measures[i].name, to.measures[i].unit, 0, {}});
  }
  to.both.nodes.parent = std::move(merged.nodes.parent);
  to.both.nodes.method = std::move(merged.nodes.method);
  to.both.nodes.site = std::move(merged.nodes.site);
  report::move_threads(merged.row_of[0], old_report.threads);
  report::move_threads(merged.row_of[1], to.both.threads);
  take_columns(old_report, merged.row_of, to);
  to.old_about = std::move(old_report);
}

}  // namespace

std::optional<std::size_t> Comparison::samples_of(std::size_t measure) const {
  const auto found = std::ranges::find(measures, report::samples_of(measures[measure].name),
                                       &ComparedMeasure::name);
  if (found == measures.end()) return std::nullopt;
  return static_cast<std::size_t>(found - measures.begin());
}

std::string part_in_words(const Comparison& comparison) {
  std::string text;
  for (const std::string& words : comparison.part) {
    text += (text.empty() ? "" : ", of these ") + words;
  }
  return text;
}

std::string absent_measure(const Comparison& comparison, std::size_t measure, bool in_new) {
  std::vector<std::string> columns;
  for (const ComparedMeasure& of : comparison.measures) {
    if (in_new ? of.in_new : of.in_old) columns.push_back(of.name);
  }
  return report::absent_measure(comparison.measures[measure].name, columns,
                                in_new ? comparison.new_name : comparison.old_name);
}

std::uint64_t sum_of(const NumberColumn& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

Result<Comparison> compare(ReportModel old_report, const std::string& old_name,
                           ReportModel new_report, const std::string& new_name,
                           const CompareOptions& options) {
  for (const auto& [model, name] :
       {std::pair{&old_report, &old_name}, std::pair{&new_report, &new_name}}) {
    if (Status status = check_rules(*model, *name, options.rules); !status) return status;
  }
  if (Status status = identity::check_alike(new_report, old_report, old_name); !status) {
    return status.behind(new_name + ": ");
  }
  Comparison comparison;
  comparison.old_name = old_name;
  comparison.new_name = new_name;
  comparison.rules = options.rules;
  comparison.measures = measures_of(old_report, new_report);
  Result<std::vector<Renamed>> renamed =
      options.renames.apply(old_report, old_name, new_report, new_name);
  if (!renamed.ok()) return renamed.status();
  comparison.renamed = std::move(renamed).value();
  std::optional<NumberedClasses> numbered;
  if (options.rules.names == identity::Names::kNormalised) {
    numbered.emplace(old_report, new_report);
    comparison.renamed.insert(comparison.renamed.end(), numbered->renumbered().begin(),
                              numbered->renumbered().end());
  }
  name_events_alike(old_report.methods, new_report.methods, options.rules);
  if (options.rules.names == identity::Names::kNormalised) {
    name_threads_alike(old_report.methods, new_report.methods);
  }
  comparison.old_slices = taken_slices(old_report);
  comparison.new_slices = taken_slices(new_report);
  lay_over(std::move(old_report), std::move(new_report), comparison);
  if (numbered) numbered->restore(comparison.both.methods);
  return comparison;
}

}  // namespace copse::diff
