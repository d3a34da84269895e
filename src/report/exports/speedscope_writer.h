// A file for speedscope (https://www.speedscope.app/file-format-schema.json): a profile for each
// measure, and of a run with --by-thread for each of its threads.
#pragma once

#include "report/model/report_model.h"
#include "report/output.h"

namespace copse::report {

// Evented profiles, whose time is the measure: a context opens, its own amount passes, its children
// follow, it closes. So a context takes as much room at any depth.
void write_speedscope(const ReportModel& model, Output& out);

}  // namespace copse::report
