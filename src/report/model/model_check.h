// What must hold in every report: the promises of report_model.h, checked.
#pragma once

#include "base/status.h"
#include "report/model/report_model.h"

namespace copse::report {

// Column lengths, index ranges, pre-order, totals. The message says which row breaks which rule.
// Cost: one pass, no extra memory.
Status check_invariants(const ReportModel& model);

}  // namespace copse::report
