// Cuts a report to the contexts through some methods.
#pragma once

#include <string>
#include <vector>

#include "report/model/report_model.h"
#include "report/part/method_choice.h"

namespace copse::report {

// Keeps the contexts with a chosen method on their path from ROOT. Callers above the outermost one
// stay, with no amounts of their own. Cost: linear.
ReportModel focused(const ReportModel& model, const MethodChoice& choice);
// The same for chosen contexts, by row of `nodes`. `what`, "The context Log.log <- Main.main:12",
// begins the note that describes the part.
ReportModel focused_on(const ReportModel& model, const std::vector<bool>& is_chosen,
                       const std::string& what);

}  // namespace copse::report
