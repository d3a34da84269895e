// The contexts through some methods.
#pragma once

#include <string>
#include <vector>

#include "report/model/report_model.h"
#include "report/part/method_choice.h"

namespace copse::report {

// Kept are the contexts that have a chosen method on their path, from ROOT on. The callers above
// the outermost one stay as the way there, with nothing of their own. Cost: linear.
ReportModel focused(const ReportModel& model, const MethodChoice& choice);
// The same of chosen contexts, by row of `nodes`. `what`, "The context Log.log <- Main.main:12",
// begins the note that says what this is.
ReportModel focused_on(const ReportModel& model, const std::vector<bool>& is_chosen,
                       const std::string& what);

}  // namespace copse::report
