// copse run --runs: a command several times, and one report of all runs (compare/identity/run_ranges.h).
#pragma once

#include <cstdint>

#include "base/status.h"
#include "cli/profile/run_program.h"

namespace copse::cli {

// Each JVM of the command leaves one report, as after run_program(); those of different runs belong
// together when they ran the same program, in the order of their start. `runs`: at least 2.
//
// The end is the first run's whose exit status is not 0. A signal that would end us ends the command
// and is the last; the report is then of the runs before, or of the first one if that was it.
// Errors: those of the start, and of the reports.
Result<RunEnd> run_repeatedly(const RunRequest& request, std::uint64_t runs);

}  // namespace copse::cli
