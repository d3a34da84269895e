// A run whose event stream is kept; a report is made of it later.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agent/jvm/method_table.h"
#include "agent/options.h"
#include "base/status.h"
#include "shadowstack/packet_pool.h"
#include "shadowstack/recorder.h"
#include "trace/trace_sink.h"

namespace copse {

// Makes the trace file at `path` and the sink that fills it. Pool and methods must outlive the
// sink.
Result<std::unique_ptr<trace::TraceSink>> start_trace(jvmtiEnv* jvmti, const AgentOptions& options,
                                                      std::int64_t started, const std::string& path,
                                                      PacketPool& pool, MethodTable& methods);

struct TraceTotals {
  std::uint64_t calls = 0;  // in the trace
  std::uint64_t calls_lost = 0;
  std::uint64_t bytes = 0;
  Status first_failure;  // of a write
};

// Ends the trace; `recorder` is closed; `notes`: beside those of the options. An error: the file
// has no end.
Result<TraceTotals> finish_trace(trace::TraceSink& sink, const Recorder& recorder,
                                 const AgentOptions& options, const MethodTable& methods,
                                 const std::vector<std::string>& notes, double wall_ms);

}  // namespace copse
