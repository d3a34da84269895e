// Matches events whose names hold a class or method with another name in NEW, or a line that has moved: "new p.T",
// "throw p.T at p.C.m:8" (report/model/event_objects.h).
#pragma once

#include <cstdint>
#include <vector>

#include "report/model/report_model.h"

namespace copse::diff {

// Gives events of OLD the names that they have in NEW. `old_ids`, `new_ids`: a number for each row of methods, equal for
// the same method in both. REQUIRES: the methods have their own names. Exceptions of one class from one method whose
// line the other report lacks are paired in the order of lines, if both reports have as many. Cost: a pass over the methods.
void adopt_events(report::ReportModel& old_report, const report::ReportModel& new_report,
                  const std::vector<std::int32_t>& old_ids,
                  const std::vector<std::int32_t>& new_ids);

}  // namespace copse::diff
