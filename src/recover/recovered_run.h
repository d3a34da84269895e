// From the files of a killed run (agent/line/kept_folder.h) to the report that it would have
// written.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "agent/line/kept_folder.h"
#include "base/status.h"
#include "report/report_model.h"

namespace copse::recover {

struct RecoveredRun {
  report::ReportModel report;
  std::string output;                         // where the JVM would have written it
  std::string program;                        // what the JVM ran: program_name()
  std::optional<std::uint64_t> max_contexts;  // of the file (report/report_file.h)
};

// `ended`: when the JVM was killed, where that is known; else the report says 0 ms. An error:
// nothing can be read, or the JVM still runs.
using WallClock = std::chrono::system_clock;
Result<RecoveredRun> recover_run(const agent::KeptRunFiles& files,
                                 std::optional<WallClock::time_point> ended);

}  // namespace copse::recover
