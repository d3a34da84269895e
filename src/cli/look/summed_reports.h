// Reports of several files as one.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/progress.h"
#include "identity/id_rules.h"
#include "report/report_model.h"

namespace copse::cli {

// The sum of these files, one of which is read at a time (identity/merge.h); of one file its report,
// untouched. The error names the file.
Result<report::ReportModel> read_sum(const std::vector<std::string>& files,
                                     const identity::IdRules& rules, Progress& progress);

}  // namespace copse::cli
