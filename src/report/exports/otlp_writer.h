// Writes the profiles signal of OpenTelemetry: a ProfilesData message of
// opentelemetry/proto/profiles/v1development/profiles.proto of opentelemetry-proto 1.11.0.
//
// One profile for each measure; in it, one sample for each context with an amount of the measure.
// Profiles share stacks. The attribute thread.name has the thread of --by-thread.
#pragma once

#include <cstdint>
#include <limits>

#include "base/status.h"
#include "report/exports/pprof_writer.h"
#include "report/model/report_model.h"
#include "report/output.h"

namespace copse::report {

struct OtlpOptions {
  // Both as in PprofOptions.
  std::uint64_t depth = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most_stack_bytes = kMostStackBytes;
};
// Returns an error when an amount does not fit the format's 63 bits.
Status write_otlp(const ReportModel& model, const OtlpOptions& options, Output& out);

}  // namespace copse::report
