// Cuts a report to the subtrees of some methods, independent of their callers.
#pragma once

#include "report/model/report_model.h"
#include "report/part/method_choice.h"

namespace copse::report {

// Returns the subtrees of the chosen methods' outermost occurrences, merged by method, with one
// root for each such method. A chosen method called below a chosen method, itself included, stays
// in the outer subtree, so nothing counts twice. Cost: a pass over `model`, and O(n log n) for n
// nodes of the result; temporarily 4 bytes per node of `model` and about 100 per node of the
// result.
ReportModel rooted(const ReportModel& model, const MethodChoice& choice);

}  // namespace copse::report
