// What a report is shown by: its calls, or one of its metrics, with what to call it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "report/quantity.h"
#include "report/report_model.h"

namespace copse::report {

// Refers to its report. Texts of a metric are the report's, not made printable.
struct MetricView {
  std::string name;     // of --metric: "calls", "cpu_ns"
  std::string words;    // "calls", "calls of marked methods", "cpu time"
  std::string heading;  // of a column, before its unit: "calls", "cpu", "allocated"
  Unit unit = Unit::kCount;
  bool is_estimate = false;
  const std::vector<std::uint64_t>* values = nullptr;  // one per node, exclusive
  std::uint64_t total = 0;                             // in nodes
  std::uint64_t lost = 0;                              // seen, but in no node
  std::uint64_t seen = 0;

  bool is_calls() const noexcept;
  std::uint64_t of(std::size_t node) const noexcept { return (*values)[node]; }
};

// The metric that `model.shown` names, calls if there is none of the name. Cost: linear in the
// nodes.
MetricView shown_metric(const ReportModel& model);
// All that can be shown: calls, unless none were counted where there is something else, then the
// metrics in their order.
std::vector<MetricView> metrics_on_offer(const ReportModel& model);

// Has `model` shown by the metric, in every format. The error names the metrics there are.
Status show_metric(ReportModel& model, const std::string& name);

// What to show when nobody chose: the first metric of which there is anything, for a report with
// metrics is of a run that was asked for them, in this order. Calls when there is nothing of any;
// the first metric when there are no calls either.
std::string metric_to_show(const ReportModel& model);

}  // namespace copse::report
