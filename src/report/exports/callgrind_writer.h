// Writes the callgrind format (https://valgrind.org/docs/manual/cl-format.html) for KCachegrind,
// QCachegrind and callgrind_annotate: methods, callers with the line of the call, and costs.
//
// Contexts become call-graph edges. The calls of an edge are exact. Its inclusive cost covers the
// outermost calls of the callee alone: the inclusive cost of a method is the sum over its callers,
// and recursion counts once. Calls from a recursion into itself therefore have no inclusive cost.
#pragma once

#include "report/model/report_model.h"
#include "report/output.h"

namespace copse::report {

void write_callgrind(const ReportModel& model, Output& out);

}  // namespace copse::report
