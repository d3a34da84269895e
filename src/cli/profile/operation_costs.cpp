#include "cli/profile/operation_costs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/grouped.h"
#include "base/printable.h"
#include "report/model/display_names.h"
#include "report/model/quantity.h"
#include "report/model/row.h"
#include "report/model/text_lines.h"
#include "report/part/cut.h"
#include "report/part/method_choice.h"
#include "report/text/context_lines.h"
#include "report/text/text_table.h"

namespace copse::cli {
namespace {

using report::ReportModel;
using Values = NumberColumn;

std::uint64_t total_of(const Values& values) {
  std::uint64_t sum = 0;
  for (const std::uint64_t value : values) sum += value;
  return sum;
}

const Values* column_of(const ReportModel& model, const std::string& name) {
  if (name == report::kCallsMeasure) return &model.nodes.calls;
  const ReportModel::Measure* measure = model.find_measure(name);
  return measure == nullptr ? nullptr : &measure->values;
}

// "8", "2.67": exact where it is a whole number.
std::string per_operation(std::uint64_t amount, std::uint64_t operations) {
  if (operations == 0) return "";
  if (amount % operations == 0) return grouped(amount / operations);
  return report::in_digits(static_cast<double>(amount) / static_cast<double>(operations));
}

std::string range_text(const std::string& least, const std::string& greatest) {
  return least == greatest ? least : least + " to " + greatest;
}

// Least and greatest of a number over runs, as text.
template <typename Number>
std::string over_runs(const std::vector<OperationCosts::RunAmounts>& runs, Number number) {
  std::uint64_t least = number(runs.front()), greatest = least;
  for (const OperationCosts::RunAmounts& run : runs) {
    least = std::min(least, number(run));
    greatest = std::max(greatest, number(run));
  }
  return range_text(grouped(least), grouped(greatest));
}

std::vector<std::string> path_of(const ReportModel& model, const report::DisplayNames& names,
                                 std::int32_t row) {
  std::vector<std::string> path;
  for (; row > 0; row = model.nodes.parent[report::at(row)]) {
    path.push_back(names.plain(model.nodes.method[report::at(row)]));
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace

Status OperationCosts::add(ReportModel run) {
  RunAmounts amounts;
  amounts.lost = run.totals.calls_lost + run.totals.evicted_calls;
  amounts.operations = 1;
  if (!per_.empty()) {
    const Result<report::MethodChoice> choice = report::choose_methods(run, "--per", {per_});
    if (!choice.ok()) return choice.status();
    run = report::rooted(run, *choice);
    amounts.operations = 0;
    for (std::size_t row = 1; row < run.nodes.parent.size(); ++row) {
      if (run.nodes.parent[row] == 0) amounts.operations += run.nodes.calls[row];
    }
  }
  for (std::size_t i = 0; i < kCostMeasures.size(); ++i) {
    const Values* values = column_of(run, std::string(kCostMeasures[i].name));
    if (values != nullptr) amounts.amounts[i] = total_of(*values);
  }
  runs_.push_back(amounts);
  ranges_.add(std::move(run));
  return {};
}

std::vector<OperationCosts::CostContext> OperationCosts::contexts_of(const ReportModel& model,
                                                                     std::string_view measure,
                                                                     std::size_t top) const {
  const std::string name(measure);
  const Values* const first = column_of(model, name);
  if (first == nullptr) return {};
  const Values* least = column_of(model, report::kLeast + name);
  const Values* greatest = column_of(model, report::kGreatest + name);
  if (least == nullptr) least = first;
  if (greatest == nullptr) greatest = first;
  std::vector<CostContext> contexts;
  for (std::size_t row = 1; row < first->size(); ++row) {
    if ((*greatest)[row] == 0) continue;
    contexts.push_back(
        {static_cast<std::int32_t>(row), (*first)[row], (*least)[row], (*greatest)[row]});
  }
  std::ranges::stable_sort(contexts, std::greater(), &CostContext::greatest);
  contexts.resize(std::min(contexts.size(), top));
  return contexts;
}

void OperationCosts::write_text(std::size_t top, std::size_t width, report::Output& out) {
  report::TextLines lines(out, width);
  const std::uint64_t operations = runs_.front().operations;
  const bool is_per_call = !per_.empty();
  const std::string per = is_per_call ? "call" : "run";
  std::string what = printable(program_) + ": " + counted(runs_.size(), "run");
  if (is_per_call) {
    what += "; outermost calls of " + printable(per_) +
            " in each: " + over_runs(runs_, [](const auto& run) { return run.operations; });
  }
  lines.wrapped("", what);
  report::TextTable table({{"", "per " + per}, {"", "in a run"}});
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kCostMeasures.size(); ++i) {
    const auto amount = [&](const RunAmounts& run) { return run.amounts[i]; };
    const bool differs = std::ranges::any_of(runs_, [&](const RunAmounts& run) {
      return amount(run) * __int128{operations} != amount(runs_.front()) * __int128{run.operations};
    });
    std::vector<double> ratios;
    for (const RunAmounts& run : runs_) {
      ratios.push_back(static_cast<double>(amount(run)) / static_cast<double>(run.operations));
    }
    const auto [least, greatest] = std::ranges::minmax_element(ratios);
    const auto text_of = [&](auto found) {
      const RunAmounts& run = runs_[static_cast<std::size_t>(found - ratios.begin())];
      return per_operation(amount(run), run.operations);
    };
    table.add({range_text(text_of(least), text_of(greatest)), over_runs(runs_, amount)});
    names.push_back(std::string(kCostMeasures[i].words) +
                    (differs ? "; runs differ" : "; equal in all runs"));
  }
  lines.line(table.lower());
  for (std::size_t i = 0; i < names.size(); ++i) lines.row(table.row(i), names[i]);
  if (std::ranges::any_of(runs_, [](const RunAmounts& run) { return run.lost != 0; })) {
    lines.wrapped("", over_runs(runs_, [](const auto& run) { return run.lost; }) +
                          " calls are in no context of their own; --memory gives more room.");
  }
  const ReportModel model = ranges_.take();
  const report::DisplayNames display(model.methods);
  // Amounts of runs with other numbers of operations have no common divisor.
  const bool have_as_many = std::ranges::all_of(
      runs_, [&](const RunAmounts& run) { return run.operations == operations; });
  for (const CostMeasure& measure : kCostMeasures) {
    const std::vector<CostContext> contexts = contexts_of(model, measure.name, top);
    if (contexts.empty()) continue;
    std::vector<std::int32_t> rows;
    report::TextTable of_contexts({{"", "per " + per}});
    for (const CostContext& context : contexts) {
      rows.push_back(context.row);
      of_contexts.add({have_as_many ? range_text(per_operation(context.least, operations),
                                                 per_operation(context.greatest, operations))
                                    : per_operation(context.first, operations)});
    }
    const report::ContextLines texts(model, display, rows);
    lines.heading(std::string(measure.words) + (have_as_many ? "" : ", in the first run"));
    for (std::size_t i = 0; i < contexts.size(); ++i) {
      for (const std::string& line : texts.row(of_contexts.row(i), i, lines.width())) {
        lines.line(line);
      }
    }
  }
}

void OperationCosts::write_json(std::size_t top, report::JsonText& json) {
  const ReportModel model = ranges_.take();
  const report::DisplayNames names(model.methods);
  Values operations;
  for (const RunAmounts& run : runs_) operations.push_back(run.operations);
  json.begin("", '{').field("program", program_).field("per", per_).field("operations", operations);
  json.begin("measures", '[');
  for (std::size_t i = 0; i < kCostMeasures.size(); ++i) {
    Values amounts;
    std::vector<double> ratios;
    for (const RunAmounts& run : runs_) {
      amounts.push_back(run.amounts[i]);
      ratios.push_back(static_cast<double>(run.amounts[i]) / static_cast<double>(run.operations));
    }
    json.begin("", '{').field("name", kCostMeasures[i].name).field("amounts", amounts);
    json.field("per_operation", ratios).begin("contexts", '[');
    for (const CostContext& context : contexts_of(model, kCostMeasures[i].name, top)) {
      json.begin("", '{').field("path", path_of(model, names, context.row));
      json.field("least", context.least).field("greatest", context.greatest).end('}');
    }
    json.end(']').end('}');
  }
  json.end(']').end('}');
}

}  // namespace copse::cli
