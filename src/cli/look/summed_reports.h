// Reads several report files as one report.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/progress.h"
#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::cli {

// Treatment of a report that is the only one.
enum class SingleReport {
  kAsItIs,
  kMerged,  // merges contexts with one id, as in any sum
};

// Returns the sum of these files, read one at a time (compare/identity/merge.h). The error names the file.
Result<report::ReportModel> read_sum(const std::vector<std::string>& files,
                                     const identity::IdRules& rules, SingleReport single,
                                     Progress& progress);

}  // namespace copse::cli
