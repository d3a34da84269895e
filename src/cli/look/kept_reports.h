// Reads reports for commands. In copse mcp, which is asked about one report again and again, they stay in memory.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/progress.h"
#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::cli {

// Returns the report, the kept one if the file is still the same. A kept report is moved out: commands of copse mcp run in
// a copy of its process.
Result<report::ReportModel> read_report(const std::string& file);

// Reads the report and keeps it with up to three others, those that were asked for last. Larger files than 512 MiB, and
// those that cannot be read, are not kept.
void keep_report(const std::string& file);

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
