// Makes the report of a trace: the one that a run with the same options would have written.
#pragma once

#include <string>

#include "agent/options.h"
#include "base/status.h"
#include "report/model/report_model.h"
#include "trace/trace.h"

namespace copse::cli {

struct Replayed {
  report::ReportModel report;
  Status damage;  // if not OK, the report covers the part before the damage, and says so
};

// Reads `trace` from its current position. Uses the `options` that decide which tree the calls make. Error: there is no
// report at all.
Result<Replayed> replay_trace(trace::Trace& trace, const agent::AgentOptions& options);

}  // namespace copse::cli
