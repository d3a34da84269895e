// A report with fewer contexts: the coldest are evicted, as by a memory bound.
#pragma once

#include <cstdint>

#include "report/model/report_model.h"

namespace copse::report {

// The report with at most `most` contexts, 2 or more, those of evicted contexts among them: kept are
// those with the largest inclusive values of what is shown. Each that loses callees gets one of
// evicted contexts, with their sums, so that totals stay what they are. A note says what is gone.
// Cost: some ten linear passes, and 8 bytes and 2 bits a context of `model` while it takes.
ReportModel hottest(const ReportModel& model, std::uint64_t most);
// The same in place of a model with more contexts than that; one with no more stays as it is.
void keep_hottest(ReportModel& model, std::uint64_t most);

}  // namespace copse::report
