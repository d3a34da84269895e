#include <algorithm>
#include <array>
#include <utility>

#include "base/grouped.h"
#include "base/printable.h"
#include "compare/baseline/baseline.h"
#include "compare/baseline/baseline_name.h"
#include "compare/identity/merge.h"
#include "compare/identity/method_key.h"
#include "report/model/hottest.h"
#include "report/model/measure_view.h"
#include "report/model/per_call.h"
#include "report/model/row.h"
#include "report/part/cut.h"
#include "report/part/part_model.h"

namespace copse::baseline {
namespace {

using report::ReportModel;

constexpr std::size_t kWidth = 12;  // of a column, at least
// Options that decide which contexts a report can have.
constexpr std::array kOptions = {"include", "exclude", "jdk", "by-thread"};

// Drops contexts without an amount that have none below.
ReportModel with_amounts(const ReportModel& model) {
  std::vector<bool> is_kept(model.nodes.parent.size());
  const auto keep = [&](const NumberColumn& values) {
    for (std::size_t row = 0; row < values.size(); ++row) {
      if (values[row] != 0) is_kept[row] = true;
    }
  };
  keep(model.nodes.calls);
  for (const ReportModel::Measure& measure : model.measures) keep(measure.values);
  for (std::size_t row = is_kept.size(); row-- > 1;) {
    if (is_kept[row]) is_kept[report::at(model.nodes.parent[row])] = true;
  }
  is_kept[0] = true;
  return report::part_of(model, report::kept_nodes(model, is_kept, report::columns_of(model)), "");
}

// Returns the full names of the measures.
Result<std::vector<std::string>> exact_measures(const ReportModel& model,
                                                const std::vector<std::string>& typed) {
  std::vector<std::string> names;
  for (const std::string& name : typed) {
    const Result<std::string> found = report::measure_called(model, name);
    if (!found.ok()) return found.status().behind("--measure " + name + ": ");
    if (*found == report::kCallsMeasure) continue;
    const std::string samples = report::samples_of(*found);
    if (!samples.empty() && model.find_measure(samples) != nullptr) {
      return Status::error(Fault::kUsage, "--measure " + name + ": " + *found +
                                              " is an estimate, which differs from run to run");
    }
    names.push_back(*found);
  }
  return names;
}

// A column of the text.
struct AmountColumn {
  std::string name;
  const NumberColumn* least;
  const NumberColumn* greatest;
};

const NumberColumn& values_of(const ReportModel& model, const std::string& name,
                              const NumberColumn& otherwise) {
  const ReportModel::Measure* measure = model.find_measure(name);
  return measure == nullptr ? otherwise : measure->values;
}

std::vector<AmountColumn> text_columns(const ReportModel& model) {
  std::vector<AmountColumn> columns;
  const auto add = [&](const std::string& name, const NumberColumn& values) {
    columns.push_back({name, &values_of(model, report::kLeast + name, values),
                       &values_of(model, report::kGreatest + name, values)});
  };
  add(report::kCallsMeasure, model.nodes.calls);
  for (const ReportModel::Measure& measure : model.measures) {
    if (measure.name.starts_with(report::kLeast) || measure.name.starts_with(report::kGreatest)) {
      continue;
    }
    add(measure.name, measure.values);
  }
  return columns;
}

std::string cell(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

void write_head(const Baseline& baseline, report::Output& out) {
  const ReportModel& model = baseline.report;
  const auto line = [&](std::string_view key, const std::string& value) {
    out.put(key);
    out.put(": ");
    out.put(value);
    out.put('\n');
  };
  out.put(kSignature);
  out.put("1\n");
  if (model.program.runs > 1) line("runs", grouped(model.program.runs));
  for (const char* option : kOptions) {
    const auto found = model.options.find(option);
    if (found == model.options.end() || found->second.empty()) continue;
    line("option", std::string(option) + '=' + printable(found->second));
  }
  for (const std::string& glob : baseline.focus) line("focus", printable(glob));
  if (model.totals.calls_lost != 0) line("lost", "calls, " + grouped(model.totals.calls_lost));
  for (const ReportModel::Measure& measure : model.measures) {
    if (measure.name.starts_with(report::kLeast) || measure.name.starts_with(report::kGreatest)) {
      continue;
    }
    line("measure", measure.name + ", " + measure.unit);
    if (measure.lost != 0) line("lost", measure.name + ", " + grouped(measure.lost));
  }
  if (model.totals.evicted_contexts != 0) {
    line("left out", counted(model.totals.evicted_contexts, "context"));
  }
  if (model.totals.merged_methods != 0) {
    line("merged", counted(model.totals.merged_methods, "method"));
  }
  for (const ReportModel::Skipped& skipped : model.skipped) {
    line("skipped",
         quoted(skipped.class_name) + ' ' + quoted(skipped.method) + ' ' + quoted(skipped.reason));
  }
}

}  // namespace

void keep_measures(ReportModel& model, const std::vector<std::string>& names) {
  std::erase_if(model.measures, [&](const ReportModel::Measure& measure) {
    std::string_view name = measure.name;
    for (const std::string_view prefix : {report::kLeast, report::kGreatest}) {
      if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
    }
    return name != report::kCallsMeasure && std::ranges::find(names, name) == names.end();
  });
  model.shown = report::kCallsMeasure;
}

Result<Baseline> chosen(ReportModel model, const BaselineChoice& choice) {
  if (!model.totals.calls_of.empty() || model.totals.calls == 0) {
    return Status::error(Fault::kRefused, model.totals.calls == 0
                                              ? "has no calls"
                                              : "counts calls of " + model.totals.calls_of +
                                                    " alone; a baseline has all calls");
  }
  const Result<std::vector<std::string>> measures = exact_measures(model, choice.measures);
  if (!measures.ok()) return measures.status();
  keep_measures(model, *measures);
  report::PartOptions part;
  part.focus = choice.focus;
  if (Status status = report::cut(model, part); !status) return status;
  identity::Merge merge(identity::kByMethodsAlone);
  if (Status status = merge.add(std::move(model), ""); !status) return status;
  Baseline baseline{with_amounts(merge.take()), choice.focus};
  report::keep_hottest(baseline.report, choice.most);
  return baseline;
}

void write(const Baseline& baseline, report::Output& out) {
  const ReportModel& model = baseline.report;
  write_head(baseline, out);
  const std::vector<AmountColumn> columns = text_columns(model);
  out.put('\n');
  for (std::size_t i = 0; i < columns.size(); ++i) {
    out.put(i == 0 ? "" : "  ");
    out.put(cell(columns[i].name, kWidth));
  }
  out.put('\n');
  std::vector<std::uint32_t> depth(model.nodes.parent.size());
  for (std::size_t row = 1; row < depth.size(); ++row) {
    depth[row] = depth[report::at(model.nodes.parent[row])] + 1;
    for (const AmountColumn& column : columns) {
      const std::uint64_t least = (*column.least)[row], greatest = (*column.greatest)[row];
      out.put(cell(grouped(least) + (least == greatest ? "" : ".." + grouped(greatest)),
                   std::max(kWidth, column.name.size())));
      out.put("  ");
    }
    out.put(std::string(2 * std::size_t{depth[row] - 1}, ' '));
    const std::size_t method = report::at(model.nodes.method[row]);
    const identity::MethodKey key =
        identity::method_key(model.methods, method, identity::Names::kNormalised);
    // The key of a class initialiser may lack what pairs its class with NEW's.
    const std::string& stable = model.methods.stable_class[method];
    out.put(in_text({stable.empty() ? key.class_name : stable, key.name, key.descriptor}));
    out.put('\n');
  }
}

}  // namespace copse::baseline
