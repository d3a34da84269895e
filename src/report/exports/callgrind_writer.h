// The format of callgrind (https://valgrind.org/docs/manual/cl-format.html), which KCachegrind,
// QCachegrind and callgrind_annotate read: methods, who calls whom from which line, and what it cost.
//
// Contexts become edges, as in every call graph: the calls of an edge are exact. Its inclusive cost
// is that of the outermost calls of the callee alone, so that what a method costs with all below it
// is the sum over its callers, and recursion counts once. Calls from a recursion into itself have
// therefore no inclusive cost of their own.
#pragma once

#include "report/model/report_model.h"
#include "report/output.h"

namespace copse::report {

void write_callgrind(const ReportModel& model, Output& out);

}  // namespace copse::report
