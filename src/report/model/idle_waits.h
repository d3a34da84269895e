// Waits of threads for work: idle workers of pools, selectors, accept loops, timers, reference handlers.
//
// Such a wait is time of no task, and there is as much of it as there are threads. Rankings leave it out (ProgramView
// in measure_view.h). A context is idle if
//   - its method is a known one that waits for work, such as ThreadPoolExecutor.getTask;
//   - its method takes from a queue, and its caller is the only method of the program in the thread: a worker's loop;
//   - its thread is in no recorded method at all;
//   - its caller is idle, and it is the JDK's or an event's object. So a task that a known method runs is not idle.
// Without --jdk the agent adds such methods of the JDK as frames without calls (agent/jvm/measures/wall_contexts.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/number_column.h"
#include "report/model/measure_view.h"
#include "report/model/report_model.h"

namespace copse::report {

// Says what a thread waits for in a method.
enum class WaitsFor : std::uint8_t {
  kNothing,  // that is known
  kWork,     // whoever calls it
  kQueue,    // an element of a queue: work if a worker's loop calls it
};
WaitsFor waits_for(std::string_view class_name, std::string_view method);

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
// spend waiting. `names`: more methods that wait for work (typed_name.h). Cost: linear in the nodes.
NumberColumn idle_amounts(const ReportModel& model, const MeasureView& view,
                          const std::vector<std::string>& names);

// Takes these parts out of a report whose contexts are about to be put together, and notes how much that is. Sums by
// thread of such a measure go, too.
void take_idle_out(ReportModel& model, const std::vector<std::string>& names);

}  // namespace copse::report
