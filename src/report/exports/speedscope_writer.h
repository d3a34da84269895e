// Writes a file for speedscope (https://www.speedscope.app/file-format-schema.json): one profile
// for each measure, and for each thread of a run with --by-thread.
#pragma once

#include "report/model/report_model.h"
#include "report/output.h"

namespace copse::report {

// Writes evented profiles whose time is the measure: a context opens, its exclusive amount passes,
// its children follow, the context closes. The bytes per context do not depend on its depth.
void write_speedscope(const ReportModel& model, Output& out);

}  // namespace copse::report
