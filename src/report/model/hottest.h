// Evicts the coldest contexts of a report, as a memory bound does during a run.
#pragma once

#include <cstdint>

#include "report/model/report_model.h"

namespace copse::report {

// Returns the report with at most `most` contexts (REQUIRES: most >= 2), nodes of evicted contexts
// included. Keeps the contexts with the largest inclusive values of the shown measure. A context
// that loses callees gets one node of evicted contexts with their sums, which keeps totals. A note
// counts the evicted contexts. Cost: about ten linear passes; temporarily 8 bytes and 2 bits per
// context of `model`.
ReportModel hottest(const ReportModel& model, std::uint64_t most);
// Applies hottest() in place when the model has more than `most` contexts; otherwise does nothing.
void keep_hottest(ReportModel& model, std::uint64_t most);

}  // namespace copse::report
