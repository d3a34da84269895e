// Measures that a summary lists beside the shown one: one row for a time and its samples, the times
// of states below wall_ns, and no least/greatest measures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/model/measure_view.h"
#include "report/model/report_model.h"

namespace copse::report {

// A measure that counts the events of another measure, a time or a size.
struct CountedEvents {
  std::string name;  // of --measure: "cpu_samples", "contentions"
  std::uint64_t total = 0;
};

struct OtherMeasure {
  MeasureView view;
  bool is_state = false;                // a part of wall_ns, the row above
  std::optional<CountedEvents> events;  // the events behind the amount
};

// Returns the event count behind `view`; std::nullopt when `view` is a count or the report has no
// such measure. Also valid for the shown measure.
std::optional<CountedEvents> events_of(const ReportModel& model, const MeasureView& view);

// Returns the measures to list, without states in which no thread was seen and without kLeast and
// kGreatest measures.
std::vector<OtherMeasure> other_measures(const ReportModel& model, const MeasureView& shown);

}  // namespace copse::report
