// copse run --runs: runs a command several times and writes one report of all runs (compare/identity/run_ranges.h).
#pragma once

#include <cstdint>

#include "base/status.h"
#include "cli/profile/run_program.h"

namespace copse::cli {

// Each JVM of the command leaves one report, as after run_program(). Reports of different runs are merged if their JVMs
// ran the same program, matched in the order of their start. `runs`: at least 2.
//
// Returns the end of the first run with an exit status other than 0. A signal that would end this process ends the
// command, which is then the last run; the report covers the earlier runs, or the first run if it was the one ended.
// Errors: those of the start, and of the reports.
Result<RunEnd> run_repeatedly(const RunRequest& request, std::uint64_t runs);

}  // namespace copse::cli
