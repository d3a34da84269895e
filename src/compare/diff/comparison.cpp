#include "compare/diff/comparison.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "base/make_room.h"
#include "compare/diff/moved_sites.h"
#include "compare/diff/numbered_classes.h"
#include "compare/identity/merged_names.h"
#include "compare/identity/merged_nodes.h"
#include "report/model/report_builder.h"
#include "report/model/row.h"

namespace copse::diff {
namespace {

using report::at;
using report::ReportModel;

Status check_rules(const ReportModel& model, const std::string& name,
                   const identity::IdRules& rules) {
  if (model.merged.reports == 0 || model.merged.rules == in_words(rules)) return {};
  return Status::error(Fault::kRefused, name + ": was merged by other rules, " +
                                            model.merged.rules +
                                            "; give the same to --sites and --names");
}

// A report without contexts may have counted calls, namely none.
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

void forget_tables(ReportModel& model) {
  model.methods = {};
  model.sites = {};
  for (auto* column : {&model.nodes.parent, &model.nodes.method, &model.nodes.site}) {
    give_back(*column);
  }
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
  identity::MergedNames names = identity::merged_names(parts, to.rules);
  identity::MergedNodes merged = identity::merged_nodes(parts, names);
  to.presence = presence(merged);
  forget_tables(old_report);
  forget_tables(new_report);
  to.both = std::move(new_report);
  to.both.methods = std::move(names.methods);
  to.both.sites = std::move(names.sites);
  name_displaced(moved, to.both.sites);
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

std::string part_in_words(const Comparison& comparison) {
  std::string text;
  for (const std::string& words : comparison.part) {
    text += (text.empty() ? "" : ", of these ") + words;
  }
  return text;
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
  std::optional<NumberedClasses> numbered;
  if (options.find_moved_code && options.rules.names == identity::Names::kNormalised) {
    numbered.emplace(old_report, new_report);
  }
  comparison.renamed = adopt_names(old_report, new_report, options.rules.names,
                                   options.find_moved_code, numbered ? &*numbered : nullptr);
  comparison.old_slices = taken_slices(old_report);
  comparison.new_slices = taken_slices(new_report);
  MovedSites moved;
  if (options.find_moved_code) moved = adopt_sites(old_report, new_report, options.rules);
  comparison.moved_sites = moved.moved;
  lay_over(std::move(old_report), std::move(new_report), moved, comparison);
  if (numbered) numbered->restore(comparison.both.methods);
  return comparison;
}

}  // namespace copse::diff
