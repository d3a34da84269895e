// copse run --runs: runs a command several times and writes one report of all runs (compare/identity/run_ranges.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"
#include "cli/profile/run_program.h"
#include "report/model/report_model.h"

namespace copse::cli {

// Each JVM of the command leaves one report, as after run_program(). Reports of different runs are merged if their JVMs
// ran the same program, matched in the order of their start. `runs`: at least 2.
//
// Returns the end of the first run with an exit status other than 0. A signal that would end this process ends the
// command, which is then the last run; the report covers the earlier runs, or the first run if it was the one ended.
// Errors: those of the start, and of the reports.
//
// `on_report` gets each report of a run: the run from 1, the JVM's program, its place from 1 among the JVMs of that run
// with that program, and the report. `goes_on`, asked after each run, returns false where no more are needed.
using OnReport = std::function<void(std::uint64_t run, const std::string& program,
                                    std::size_t place, const report::ReportModel& report)>;
Result<RunEnd> run_repeatedly(const RunRequest& request, std::uint64_t runs,
                              const OnReport& on_report = {},
                              const std::function<bool()>& goes_on = {});

}  // namespace copse::cli
