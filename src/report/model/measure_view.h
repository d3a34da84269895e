// What a report is shown by: its calls, or one of its measures, with what to call it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "report/model/report_model.h"
#include "report/text/quantity.h"

namespace copse::report {

// Refers to its report. Texts of a measure are the report's, not made printable.
struct MeasureView {
  std::string name;     // of --measure: "calls", "cpu_ns"
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

MeasureView view_of_calls(const ReportModel& model);
// The measure that `model.shown` names, calls if there is none of the name. Cost: linear in the
// nodes.
MeasureView shown_measure(const ReportModel& model);
// All that can be shown: calls, unless none were counted where there is something else, then the
// measures in their order.
std::vector<MeasureView> measures_on_offer(const ReportModel& model);

// The name of the measure that `name` is said for: it is that of a measure, or without its unit
// ("cpu" for cpu_ns), or what the names of one begin with ("alloc" for allocated_bytes); times and
// sizes of memory come before counts; "locks", as runs are asked for them, is contended_ns. The error says which measures were meant, or all there are.
Result<std::string> measure_called(const ReportModel& model, const std::string& name);
// Has `model` shown by that measure, in every format. The error begins with "--measure NAME: ".
Status show_measure(ReportModel& model, const std::string& name);

// What to show when nobody chose: the first measure of which there is anything, for a report with
// measures is of a run that was asked for them, in this order. Processor time needs kEnoughSamples in
// contexts with calls, where calls were counted. Calls when there is nothing of any; the first measure
// when there are no calls either.
std::string measure_to_show(const ReportModel& model);

}  // namespace copse::report
