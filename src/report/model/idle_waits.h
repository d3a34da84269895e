// Waits of threads for work: idle workers of pools, selectors, accept loops, timers, reference handlers.
//
// Such a wait is time of no task, and there is as much of it as there are threads. Rankings leave it out (ProgramView
// in measure_view.h). A context is idle if it is that of a known method that waits for work, or of a thread that is in
// no recorded method at all, or if its caller is idle and it is the JDK's or an event's object. So a task that a known
// method runs is not idle.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/number_column.h"
#include "report/model/measure_view.h"
#include "report/model/report_model.h"

namespace copse::report {

// Facts by which a reader of the whole report leaves idle waits out.
struct IdleWaits {
  std::vector<std::int32_t> rows;         // idle contexts, ascending
  std::string_view all;                   // measure of the time of all states
  std::vector<std::string_view> waiting;  // measures of times that idle contexts spend waiting
  std::vector<std::string_view> busy;     // measures of the other times: not idle in any context
};
// Returns the waits of a report; without rows if no measure is a time in which a thread may wait. Cost: linear in the
// nodes.
IdleWaits idle_waits(const ReportModel& model);

// Returns the idle part of the view's amount for each node: waiting times alone and their samples, not the time in which
// a thread was runnable or blocked by a monitor. Empty if there is none, for example because the view is no time that a thread may
// spend waiting. `names`: more methods that wait for work (part/typed_name.h). Cost: linear in the nodes.
NumberColumn idle_amounts(const ReportModel& model, const MeasureView& view,
                          const std::vector<std::string>& names);

// Takes these parts out of a report whose contexts are about to be put together, and notes how much that is. Sums by
// thread of such a measure go, too.
void take_idle_out(ReportModel& model, const std::vector<std::string>& names);

}  // namespace copse::report
