// The profiles signal of OpenTelemetry: a ProfilesData message of opentelemetry/proto/profiles/
// v1development/profiles.proto as of opentelemetry-proto 1.11.0.
//
// A profile for each measure, a sample for each context that has any of it. Stacks are shared. Threads
// of --by-thread are the attribute thread.name.
#pragma once

#include <cstdint>
#include <limits>

#include "base/status.h"
#include "report/exports/pprof_writer.h"
#include "report/model/report_model.h"
#include "report/output.h"

namespace copse::report {

struct OtlpOptions {
  // As of PprofOptions.
  std::uint64_t depth = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most_stack_bytes = kMostStackBytes;
};
// An error when an amount does not fit the format's 63 bits.
Status write_otlp(const ReportModel& model, const OtlpOptions& options, Output& out);

}  // namespace copse::report
