// Selects one context of a report by its stable id.
#pragma once

#include <string>

#include "base/status.h"
#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::cli {

// Cuts the report to the context whose id begins with `digits` and its subtree. The error is the one of
// identity::find_context(), and says how to see ids.
Status keep_context(report::ReportModel& model, const std::string& digits,
                    const identity::IdRules& rules);

}  // namespace copse::cli
