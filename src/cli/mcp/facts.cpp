#include "cli/mcp/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "base/grouped.h"
#include "base/printable.h"
#include "compare/diff/writers.h"
#include "report/model/display_names.h"
#include "report/model/measure_view.h"
#include "report/model/per_call.h"
#include "report/model/report_stats.h"
#include "report/model/row.h"
#include "report/part/cut.h"
#include "report/part/method_choice.h"
#include "report/text/callers_tree.h"
#include "report/text/text_table.h"

namespace copse::cli {
namespace {

using report::at;
using report::MeasureView;
using report::MethodStats;
using report::ReportModel;

// Name for a later call, which takes it as a glob: a method as it is, without parameters.
std::string name_of(const ReportModel& model, std::int32_t method) {
  return report::display_name(model.methods.class_name[at(method)], model.methods.name[at(method)]);
}

bool is_method(const ReportModel& model, std::int32_t method) {
  return !model.methods.descriptor[at(method)].empty() &&
         !model.methods.class_name[at(method)].empty();
}

std::uint64_t sum(const NumberColumn& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

// "9 of 19 contexts, with 213 of 613 calls (34.7 %)"
std::string rest_in_words(std::uint64_t all, std::uint64_t shown, std::string_view one,
                          std::uint64_t shown_amount, const MeasureView& view) {
  if (all <= shown) return "";
  const std::uint64_t rest = view.total - shown_amount;
  return fmt::format("{} of {}, with {} of {} {} ({})", grouped(all - shown), counted(all, one),
                     in_words(view.unit, rest), in_words(view.unit, view.total),
                     printable(view.words), report::percent(rest, view.total));
}

std::string estimates_of(const ReportModel& model) {
  std::string words;
  for (const ReportModel::Measure& measure : model.measures) {
    const ReportModel::Measure* samples = model.find_measure(report::samples_of(measure.name));
    if (samples == nullptr || samples == &measure) continue;
    words += fmt::format("; {} is an estimate, by {}", printable(measure.name),
                         counted(sum(samples->values), "sample"));
  }
  return words;
}

// Returns the table of one method.
std::string costs_of_method(const ReportModel& model, const MethodStats& method,
                            const std::string& name) {
  report::MethodChoice only{"method", {name}, std::vector<bool>(model.methods.name.size())};
  only.methods[at(method.method)] = true;
  ReportModel calls = report::calls_into(model, only);
  report::TextTable table(
      {{"", "own"}, {"with calls", "below"}, {"of the", "program"}, {"", "of one call"}});
  std::vector<std::string> measures;
  std::uint64_t of_method = 0;
  for (const MeasureView& view : report::measures_on_offer(model)) {
    std::uint64_t own = 0, with_calls = 0;
    std::string cost;
    if (view.is_calls()) {
      of_method = own = sum(calls.nodes.calls);
      with_calls = method.inclusive;
    } else {
      for (std::size_t row = 0; row < view.values->size(); ++row) {
        if (model.nodes.method[row] == method.method) own += view.of(row);
      }
      calls.shown = view.name;
      const report::CallersTree tree(calls);
      for (const report::CallersTree::Frame& top : tree.tops()) {
        with_calls += top.amounts.shown;
        if (tree.per_call()) cost = tree.cost(top.amounts) + " " + tree.per_call()->heading();
      }
    }
    table.add({in_words(view.unit, own), in_words(view.unit, with_calls),
               report::percent(with_calls, view.total), cost});
    measures.push_back(printable(view.words));
  }
  std::string text = fmt::format("{}: {} in {}\n{}\n{}measure\n", name, counted(of_method, "call"),
                                 counted(method.contexts, "context"), table.upper(), table.lower());
  for (std::size_t i = 0; i < measures.size(); ++i) text += table.row(i) + measures[i] + "\n";
  return text;
}

}  // namespace

std::string facts_of(const std::string& file, const ReportModel& model) {
  std::string words = diff::code_span(file);
  if (model.merged.reports != 0)
    words += fmt::format(", the sum of {}", counted(model.merged.reports, "report"));
  if (model.merged.reports == 0 && model.program.pid != 0)
    words += fmt::format(", process {}", model.program.pid);
  if (model.program.runs > 1)
    words += fmt::format(", the first of {} runs", grouped(model.program.runs));
  if (model.program.wall_ms > 0) {
    words += ", recorded for " + in_words(report::Unit::kNanoseconds,
                                          static_cast<std::uint64_t>(model.program.wall_ms * 1e6));
  }
  if (!model.program.started.empty()) words += ", started " + printable(model.program.started);
  return words;
}

std::string exactness_of(const ReportModel& model) {
  const ReportModel::Totals& totals = model.totals;
  std::string words =
      totals.calls_seen == 0
          ? "calls were not counted"
          : fmt::format("{} calls seen = {} in contexts + {} lost", grouped(totals.calls_seen),
                        grouped(totals.calls), grouped(totals.calls_lost));
  if (!totals.calls_of.empty()) words += ", of " + printable(totals.calls_of) + " alone";
  if (totals.evicted_contexts != 0) {
    words += fmt::format("; {} of them are in evicted contexts", grouped(totals.evicted_calls));
  }
  if (totals.merged_methods != 0)
    words += fmt::format("; recursion of {} is merged", counted(totals.merged_methods, "method"));
  if (!model.skipped.empty()) {
    words += fmt::format("; {} not counted, or not completely (SQL: table skipped)",
                         counted(model.skipped.size(), "class or method", "classes and methods"));
  }
  words += estimates_of(model);
  if (!model.notes.empty()) words += "; summary has " + counted(model.notes.size(), "note");
  return words;
}

std::string hottest_method(const ReportModel& model) {
  const MeasureView whole = report::shown_measure(model);
  const report::ProgramView ranked(model, whole, {});
  std::string name;
  std::uint64_t most = 0;
  for (const MethodStats& method : report::method_stats(model, *ranked.view().values)) {
    if (method.exclusive <= most || !is_method(model, method.method)) continue;
    most = method.exclusive;
    name = name_of(model, method.method);
  }
  return name;
}

std::string most_changed_method(const ReportModel& before, const ReportModel& now) {
  std::map<std::string, std::int64_t> changes;
  const auto add = [&changes](const ReportModel& model, std::int64_t sign) {
    for (const MethodStats& method : report::method_stats(model, model.nodes.calls)) {
      if (is_method(model, method.method))
        changes[name_of(model, method.method)] +=
            sign * static_cast<std::int64_t>(method.exclusive);
    }
  };
  add(before, -1);
  add(now, 1);
  const auto most = std::ranges::max_element(
      changes, {}, [](const auto& change) { return std::abs(change.second); });
  return most == changes.end() || most->second == 0 ? "" : most->first;
}

std::string left_out_of_rankings(const ReportModel& model, std::size_t top) {
  const MeasureView whole = report::shown_measure(model);
  const report::ProgramView ranked(model, whole, {});
  const MeasureView& view = ranked.view();
  std::uint64_t shown = 0;
  const std::vector<std::int32_t> rows = report::hottest_contexts(*view.values, top);
  for (const std::int32_t row : rows) shown += view.of(at(row));
  return rest_in_words(report::contexts_with(*view.values), rows.size(), "context", shown, view);
}

Result<std::string> costs_of(const ReportModel& model, const std::vector<std::string>& globs,
                             std::size_t top, std::string& left_out) {
  const Result<report::MethodChoice> choice = report::choose_methods(model, "method", globs);
  if (!choice.ok()) return choice.status();
  const MeasureView calls = report::view_of_calls(model);
  std::vector<MethodStats> methods = report::method_stats(model, *calls.values);
  std::erase_if(methods, [&](const MethodStats& method) { return !choice->has(method.method); });
  std::ranges::stable_sort(methods, std::greater<>(), &MethodStats::inclusive);
  std::uint64_t rest = 0;
  for (std::size_t i = top; i < methods.size(); ++i) rest += methods[i].exclusive;
  if (methods.size() > top) {
    left_out = fmt::format("{} of {}, with {}", grouped(methods.size() - top),
                           counted(methods.size(), "method"), counted(rest, "call"));
    methods.resize(top);
  }
  const report::DisplayNames names(model.methods);
  std::string text;
  for (const MethodStats& method : methods) {
    text +=
        (text.empty() ? "" : "\n") + costs_of_method(model, method, names.method(method.method));
  }
  return text;
}

}  // namespace copse::cli
