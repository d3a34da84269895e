// Cuts a report to one slice of its run.
#pragma once

#include <string>

#include "base/status.h"
#include "report/model/report_model.h"

namespace copse::report {

// Keeps the calls of a kept slice, in their contexts below ROOT. Callers of the slice stay, with no calls. The part has
// neither measures nor threads; its time is that of the slice. `which`: an id, or a word of find_slice().
Result<ReportModel> sliced(const ReportModel& model, const std::string& which);

}  // namespace copse::report
