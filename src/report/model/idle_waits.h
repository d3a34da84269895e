// Waits of threads for work: idle workers of pools, selectors, accept loops, timers, reference handlers.
//
// Such a wait is time of no task, and there is as much of it as there are threads. Rankings leave it out (ProgramView
// in measure_view.h). A context is idle if it is that of a known method that waits for work, or of a thread that is in
// no recorded method at all, or if its caller is idle and it is the JDK's or an event's object. So a task that a known
// method runs is not idle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/model/measure_view.h"
#include "report/model/report_model.h"

namespace copse::report {

enum class WaitForWork : std::uint8_t {
  kNo,
  kBegins,
  kGoesOn,  // a method of the JDK: where a method that called it is idle
  kEvent,   // where its caller is idle
  kOutside,  // a thread in no recorded method, or a row of threads; of what it calls only events are idle
};
// Returns the part of each method in idle contexts, by row of `methods`. `names`: more methods that wait for work
// (part/typed_name.h).
std::vector<WaitForWork> waits_for_work(const ReportModel::Methods& methods,
                                        const std::vector<std::string>& names);

// Returns true if the report has times in which a thread may wait.
bool has_idle_waits(const ReportModel& model);

// Returns the idle part of the view's amount for each node: waiting times alone, not the time in which a thread was
// runnable or blocked by a monitor. Empty if there is none, for example because the view is no time that a thread may
// spend waiting. Cost: linear in the nodes.
std::vector<std::uint64_t> idle_amounts(const ReportModel& model, const MeasureView& view,
                                        const std::vector<std::string>& names);

}  // namespace copse::report
