// Checks the promises of report_model.h, which hold in every report.
#pragma once

#include "base/status.h"
#include "report/model/report_model.h"

namespace copse::report {

// Checks column lengths, index ranges, pre-order and totals. The message names the row and the
// broken rule. Cost: one pass, no extra memory.
Status check_invariants(const ReportModel& model);

}  // namespace copse::report
