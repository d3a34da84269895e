// The report of a trace: the one that a run with the same options would have written.
#pragma once

#include <string>

#include "agent/options.h"
#include "base/status.h"
#include "report/model/report_model.h"
#include "trace/trace.h"

namespace copse::cli {

struct Replayed {
  report::ReportModel report;
  Status damage;  // not ok: the report is of the part before it, and says so
};

// Reads `trace` from where it stands. Of `options` those count that say what tree calls make. An
// error: there is no report at all.
Result<Replayed> replay_trace(trace::Trace& trace, const agent::AgentOptions& options);

}  // namespace copse::cli
