// Chooses threads of a report by globs (--by-thread).
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "report/model/report_model.h"
#include "report/part/method_choice.h"

namespace copse::report {

// `globs`: match names without brackets. The error says that the report has no threads, or lists
// them.
Result<MethodChoice> choose_threads(const ReportModel& model,
                                    const std::vector<std::string>& globs);

// Returns the contexts of the chosen threads, with these threads and their amounts. Takes the list of threads out of
// `model`.
ReportModel of_threads(ReportModel& model, const MethodChoice& choice);

}  // namespace copse::report
