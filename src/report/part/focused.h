// The contexts through some methods.
#pragma once

#include "report/part/method_choice.h"
#include "report/report_model.h"

namespace copse::report {

// Kept are the contexts that have a chosen method on their path, from ROOT on. The callers above
// the outermost one stay as the way there, with nothing of their own. Cost: linear.
ReportModel focused(const ReportModel& model, const MethodChoice& choice);

}  // namespace copse::report
