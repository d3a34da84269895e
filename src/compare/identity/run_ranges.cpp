#include "compare/identity/run_ranges.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/grouped.h"
#include "compare/identity/merged_names.h"
#include "compare/identity/merged_nodes.h"
#include "report/model/display_names.h"
#include "report/model/report_builder.h"
#include "report/model/report_stats.h"
#include "report/model/row.h"
#include "report/model/slices.h"
#include "report/text/context_lines.h"

namespace copse::identity {
namespace {

using report::at;
using report::ReportModel;

using Values = NumberColumn;
constexpr std::size_t kNamedContexts = 3;
constexpr std::size_t kNamedThreads = 3;
constexpr std::size_t kWidth = 120;  // characters of a context in a note

// Rows of the common tables, by part.
struct LaidOver {
  std::vector<std::vector<std::int32_t>> method_of, row_of;
};

// Merges the parts: `to` gets the methods, sites and nodes of all.
LaidOver lay_parts_over(const std::vector<const ReportModel*>& parts, ReportModel& to) {
  MergedNames names = merged_names(parts, IdRules{});
  MergedNodes merged = merged_nodes(parts, names);
  to.methods = std::move(names.methods);
  to.sites = std::move(names.sites);
  to.nodes = std::move(merged.nodes);
  to.nodes.calls.resize(to.nodes.parent.size());
  measure_tree(to);
  return {std::move(names.method_of), std::move(merged.row_of)};
}

void take_tree(ReportModel& from, ReportModel& to) {
  to.methods = std::move(from.methods);
  to.sites = std::move(from.sites);
  to.nodes = std::move(from.nodes);
  to.totals.contexts = from.totals.contexts;
  to.totals.max_depth = from.totals.max_depth;
}

}  // namespace

bool is_range(const ReportModel& model, const std::string& measure) {
  if (model.program.runs <= 1) return false;
  const auto is_of = [&](const std::string& name) {
    return measure == report::kLeast + name || measure == report::kGreatest + name;
  };
  return is_of(report::kCallsMeasure) ||
         std::any_of(model.measures.begin(), model.measures.end(),
                     [&](const ReportModel::Measure& other) { return is_of(other.name); });
}

bool drop_ranges(ReportModel& model) {
  std::vector<bool> are_ranges;
  for (const ReportModel::Measure& measure : model.measures) {
    are_ranges.push_back(is_range(model, measure.name));
  }
  std::vector<ReportModel::Measure> others;
  for (std::size_t i = 0; i < are_ranges.size(); ++i) {
    if (!are_ranges[i]) others.push_back(std::move(model.measures[i]));
  }
  const bool had_some = others.size() != model.measures.size();
  model.measures = std::move(others);
  model.program.runs = 1;
  return had_some;
}

void RunRanges::add(ReportModel run) {
  if (runs_ == 0) {
    begin(std::move(run));
  } else {
    lay_over(std::move(run));
  }
  ++runs_;
}

void RunRanges::begin(ReportModel run) {
  columns_.push_back({report::kCallsMeasure,
                      "calls",
                      0,
                      run.totals.calls_lost,
                      run.totals.calls_lost,
                      true,
                      std::move(run.nodes.calls),
                      {},
                      {}});
  for (ReportModel::Measure& measure : run.measures) {
    columns_.push_back({measure.name,
                        measure.unit,
                        measure.lost,
                        measure.lost,
                        measure.lost,
                        true,
                        std::move(measure.values),
                        {},
                        {},
                        std::move(measure.of_threads)});
  }
  run.measures.clear();
  ReportModel formed;
  const LaidOver laid = lay_parts_over({&run}, formed);
  const std::vector<std::int32_t>& row_of = laid.row_of[0];
  take_tree(formed, run);
  report::move_threads(row_of, run.threads);
  report::move_slices(laid.method_of[0], row_of, run.slices);
  first_ = std::move(run);
  threads_of_first_ = first_.threads.size();
  for (Column& column : columns_) {
    column.first = report::sums_by_row(column.first, row_of, first_.nodes.parent.size());
    column.least = column.greatest = column.first;
  }
}

void RunRanges::lay_over(ReportModel run) {
  ReportModel both;
  const LaidOver laid = lay_parts_over({&first_, &run}, both);
  const std::vector<std::vector<std::int32_t>>& row_of = laid.row_of;
  take_tree(both, first_);
  const std::size_t rows = first_.nodes.parent.size();
  for (Column& column : columns_) {
    const Values* values = &run.nodes.calls;
    std::uint64_t lost = run.totals.calls_lost;
    if (&column != &columns_.front()) {
      const ReportModel::Measure* measure = run.find_measure(column.name);
      if (measure != nullptr && measure->unit != column.unit) measure = nullptr;
      column.in_all = column.in_all && measure != nullptr;
      values = measure == nullptr ? nullptr : &measure->values;
      lost = measure == nullptr ? 0 : measure->lost;
    }
    column.first = report::sums_by_row(column.first, row_of[0], rows);
    if (!column.in_all) continue;
    const Values now = report::sums_by_row(*values, row_of[1], rows);
    column.least = report::sums_by_row(column.least, row_of[0], rows);
    column.greatest = report::sums_by_row(column.greatest, row_of[0], rows);
    for (std::size_t node = 0; node < rows; ++node) {
      column.least[node] = std::min<std::uint64_t>(column.least[node], now[node]);
      column.greatest[node] = std::max<std::uint64_t>(column.greatest[node], now[node]);
    }
    column.least_lost = std::min(column.least_lost, lost);
    column.greatest_lost = std::max(column.greatest_lost, lost);
  }
  report::move_slices(laid.method_of[0], row_of[0], first_.slices);
  report::move_threads(row_of[0], first_.threads);
  report::move_threads(row_of[1], run.threads);
  add_threads_of(run.threads);
}

void RunRanges::add_threads_of(const std::vector<ReportModel::Thread>& threads) {
  std::set<std::pair<std::int64_t, std::string>> known;
  for (const ReportModel::Thread& thread : first_.threads) known.emplace(thread.node, thread.name);
  for (const ReportModel::Thread& thread : threads) {
    if (known.emplace(thread.node, thread.name).second) first_.threads.push_back(thread);
  }
}

std::uint64_t RunRanges::differing_contexts() const {
  const Column& calls = columns_.front();
  std::uint64_t differing = 0;
  for (std::size_t node = 0; node < calls.least.size(); ++node) {
    differing += calls.least[node] != calls.greatest[node] ? 1 : 0;
  }
  return differing;
}

// " on thread main"; "" when none begins there. `entry`: a child of ROOT.
std::string RunRanges::threads_of(std::int32_t entry) const {
  std::set<std::string> names;
  for (const ReportModel::Thread& thread : first_.threads) {
    if (thread.node == entry) names.insert(thread.name);
  }
  if (names.empty()) return "";
  std::string text = names.size() == 1 ? ", thread " : ", threads ";
  std::size_t named = 0;
  for (const std::string& name : names) {
    if (named == kNamedThreads) return text + ", ...";
    text += (named++ == 0 ? "" : ", ") + name;
  }
  return text;
}

std::string RunRanges::difference() const {
  const Column& calls = columns_.front();
  const std::vector<std::int32_t>& parent = first_.nodes.parent;
  // Rows of one tree: parents come first.
  std::vector<bool> is_below_one(parent.size());
  std::vector<std::int32_t> topmost, entry(parent.size(), -1);
  for (std::size_t node = 1; node < parent.size(); ++node) {
    entry[node] = parent[node] == 0 ? static_cast<std::int32_t>(node) : entry[at(parent[node])];
    const bool differs = calls.least[node] != calls.greatest[node];
    is_below_one[node] = is_below_one[at(parent[node])] || differs;
    if (differs && !is_below_one[at(parent[node])] && topmost.size() < kNamedContexts) {
      topmost.push_back(static_cast<std::int32_t>(node));
    }
  }
  const std::uint64_t differing = differing_contexts();
  std::string text = "The " + counted(runs_, "run") + " differ in the calls of " +
                     grouped(differing) + " of " +
                     counted(report::contexts_with(calls.greatest), "context") + ", topmost in:";
  const report::DisplayNames names(first_.methods);
  const report::ContextLines lines(first_, names, topmost);
  for (std::size_t i = 0; i < topmost.size(); ++i) {
    const std::size_t node = at(topmost[i]);
    text += (i == 0 ? " " : "; ") + lines.text(i, kWidth) + " (" + grouped(calls.least[node]) +
            " to " + counted(calls.greatest[node], "call") + threads_of(entry[node]) + ")";
  }
  return text + ".";
}

ReportModel RunRanges::take() {
  if (runs_ > 1 && differing_contexts() != 0) first_.notes.push_back(difference());
  first_.threads.resize(threads_of_first_);
  first_.program.runs = runs_;
  std::vector<ReportModel::Measure> ranges;
  for (Column& column : columns_) {
    if (runs_ > 1 && column.in_all) {
      ranges.push_back(
          {report::kLeast + column.name, column.unit, column.least_lost, std::move(column.least)});
      ranges.push_back({report::kGreatest + column.name, column.unit, column.greatest_lost,
                        std::move(column.greatest)});
    }
    if (column.name == report::kCallsMeasure) {
      first_.nodes.calls = std::move(column.first);
    } else {
      first_.measures.push_back({column.name, column.unit, column.lost, std::move(column.first),
                                 std::move(column.of_threads)});
    }
  }
  for (ReportModel::Measure& range : ranges) first_.measures.push_back(std::move(range));
  return std::move(first_);
}

}  // namespace copse::identity
