// A report seen through one of its metrics: every format shows calls, so the metric takes their
// place.
#pragma once

#include <string>

#include "base/status.h"
#include "report/report_model.h"

namespace copse {

// Replaces calls and their totals by the metric's, and says so in a note that names the others. The
// error names the metrics there are. Cost: linear in the nodes.
Status show_metric(ReportModel& model, const std::string& name);

// The metric to show of a report in which no call was counted: the first one that counts something.
// "": calls.
std::string metric_to_show(const ReportModel& model);

}  // namespace copse
