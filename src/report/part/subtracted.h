// Takes subtrees out of a report.
#pragma once

#include "report/model/report_model.h"
#include "report/part/method_choice.h"

namespace copse::report {

// Returns the report without the chosen contexts and what they call. Cost: linear.
ReportModel subtracted(const ReportModel& model, const MethodChoice& choice);

}  // namespace copse::report
