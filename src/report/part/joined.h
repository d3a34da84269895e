// Joins frames with those of their callers: of methods that are hidden, or folded into one frame.
//
// Cost of both: as rooted().
#pragma once

#include <cstdint>

#include "report/model/report_model.h"
#include "report/part/method_choice.h"

namespace copse::report {

// Returns the report without the contexts of the chosen methods: what they call is called by their nearest callers that
// stay, which also get their amounts, but for their calls. Children of ROOT stay: no context could get their amounts.
ReportModel without_frames(const ReportModel& model, const MethodChoice& choice);

// Returns the report with `frame`, a row of its methods, in the place of the chosen methods. Where one of them calls
// another, they are one context, with all their amounts.
ReportModel folded(const ReportModel& model, const MethodChoice& choice, std::int32_t frame);

}  // namespace copse::report
