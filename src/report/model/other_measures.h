// What a summary lists beside the measure that it shows: one row for a time and the samples that it
// comes from, the states' times below that of the clock on the wall, and no row of a range.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/model/measure_view.h"
#include "report/model/report_model.h"

namespace copse::report {

// A measure of events, which another one is the time or the bytes of.
struct CountedEvents {
  std::string name;  // of --measure: "cpu_samples", "contentions"
  std::uint64_t total = 0;
};

struct OtherMeasure {
  MeasureView view;
  bool is_state = false;  // its time is a part of the time by the clock on the wall above
  std::optional<CountedEvents> events;  // that it comes from
};

// Of the measure that is shown, too.
std::optional<CountedEvents> events_of(const ReportModel& model, const MeasureView& view);

// Without states that no thread was seen in, and without kLeast and kGreatest.
std::vector<OtherMeasure> other_measures(const ReportModel& model, const MeasureView& shown);

}  // namespace copse::report
