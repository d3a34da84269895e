// Reads reports for commands. In copse mcp, which is asked about one report again and again, they stay in memory.
#pragma once

#include <string>

#include "base/status.h"
#include "report/model/report_model.h"

namespace copse::cli {

// Returns the report, the kept one if the file is still the same. A kept report is moved out: commands of copse mcp run in
// a copy of its process.
Result<report::ReportModel> read_report(const std::string& file);

// Reads the report and keeps it with up to three others, those that were asked for last. Larger files than 512 MiB, and
// those that cannot be read, are not kept.
void keep_report(const std::string& file);

}  // namespace copse::cli
