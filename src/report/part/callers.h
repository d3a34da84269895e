// Cuts a report to the callers of some methods, and the cost of each way to them.
#pragma once

#include "report/model/report_model.h"
#include "report/part/method_choice.h"

namespace copse::report {

// Returns the contexts of the chosen methods with their paths from ROOT, without callees. A context
// of a chosen method keeps its exact calls. Of a measure, an outermost occurrence has its inclusive
// amount and an inner one nothing, so nothing counts twice. Callers have no amounts of their own.
// Cost: linear.
ReportModel calls_into(const ReportModel& model, const MethodChoice& choice);

}  // namespace copse::report
