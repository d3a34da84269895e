// Takes the frames of some methods out of a report.
#pragma once

#include "report/model/report_model.h"
#include "report/part/method_choice.h"

namespace copse::report {

// Returns the report without the contexts of the chosen methods: what they call is called by their nearest callers that
// stay, which also get their amounts, but for their calls. Children of ROOT stay: no context could get their amounts.
// Cost: as rooted().
ReportModel without_frames(const ReportModel& model, const MethodChoice& choice);

}  // namespace copse::report
