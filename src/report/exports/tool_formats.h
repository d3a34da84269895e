// Writes reports in the formats of other tools.
#pragma once

#include <cstdint>
#include <limits>

#include "base/status.h"
#include "report/model/output.h"
#include "report/model/report_model.h"

namespace copse::report {

// Limit for the bytes of all stacks. Readers accept protocol buffers below 2 GiB; the remainder is
// for names.
inline constexpr std::uint64_t kMostStackBytes = std::uint64_t{3} << 29;

// Writes a pprof profile (github.com/google/pprof/proto/profile.proto), compressed by gzip.
//
// One sample for each context, with a value for each measure. A location is a method at the line of
// its call; the system name of a function includes the descriptor. The label "thread" has the
// thread of --by-thread.
struct PprofOptions {
  // Amounts of deeper contexts count for the caller at this depth.
  std::uint64_t depth = std::numeric_limits<std::uint64_t>::max();
  // Limit for the bytes of all stacks. Beyond it, the deepest stacks are cut to a depth that fits,
  // and a comment says so.
  std::uint64_t most_stack_bytes = kMostStackBytes;
};
// Returns an error when an amount does not fit the format's 63 bits.
Status write_pprof(const ReportModel& model, const PprofOptions& options, Output& out);

// Writes the callgrind format (https://valgrind.org/docs/manual/cl-format.html) for KCachegrind,
// QCachegrind and callgrind_annotate: methods, callers with the line of the call, and costs.
//
// Contexts become call-graph edges. The calls of an edge are exact. Its inclusive cost covers the
// outermost calls of the callee alone: the inclusive cost of a method is the sum over its callers,
// and recursion counts once. Calls from a recursion into itself therefore have no inclusive cost.
void write_callgrind(const ReportModel& model, Output& out);

// Writes the profiles signal of OpenTelemetry: a ProfilesData message of
// opentelemetry/proto/profiles/v1development/profiles.proto of opentelemetry-proto 1.11.0.
//
// One profile for each measure; in it, one sample for each context with an amount of the measure.
// Profiles share stacks. The attribute thread.name has the thread of --by-thread.
struct OtlpOptions {
  // Both as in PprofOptions.
  std::uint64_t depth = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most_stack_bytes = kMostStackBytes;
};
// Returns an error when an amount does not fit the format's 63 bits.
Status write_otlp(const ReportModel& model, const OtlpOptions& options, Output& out);

// Writes one row per context as CSV (RFC 4180), for spreadsheets, data frames and databases.
struct RowsOptions {
  bool paths = false;  // adds a last column with the whole context, "A.f:12;B.g"
};
// Writes rows in the order of the report's nodes; row numbers are node numbers. ROOT is number 0
// and has a row only when it has an amount.
void write_rows(const ReportModel& model, const RowsOptions& options, Output& out);

// Writes a file for speedscope (https://www.speedscope.app/file-format-schema.json): one profile
// for each measure, and for each thread of a run with --by-thread.

// Writes evented profiles whose time is the measure: a context opens, its exclusive amount passes,
// its children follow, the context closes. The bytes per context do not depend on its depth.
void write_speedscope(const ReportModel& model, Output& out);

}  // namespace copse::report
