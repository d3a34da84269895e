// Reports of several files as one.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/progress.h"
#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::cli {

// What becomes of a report that is the only one.
enum class SingleReport {
  kAsItIs,
  kMerged,  // contexts that have one id are one, as in any sum
};

// The sum of these files, one of which is read at a time (compare/identity/merge.h). The error names the file.
Result<report::ReportModel> read_sum(const std::vector<std::string>& files,
                                     const identity::IdRules& rules, SingleReport single,
                                     Progress& progress);

}  // namespace copse::cli
