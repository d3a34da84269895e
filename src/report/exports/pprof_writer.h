// Writes a pprof profile (github.com/google/pprof/proto/profile.proto), compressed by gzip.
//
// One sample for each context, with a value for each measure. A location is a method at the line of
// its call; the system name of a function includes the descriptor. The label "thread" has the
// thread of --by-thread.
#pragma once

#include <cstdint>
#include <limits>

#include "base/status.h"
#include "report/model/report_model.h"
#include "report/output.h"

namespace copse::report {

// Limit for the bytes of all stacks. Readers accept protocol buffers below 2 GiB; the remainder is
// for names.
inline constexpr std::uint64_t kMostStackBytes = std::uint64_t{3} << 29;

struct PprofOptions {
  // Amounts of deeper contexts count for the caller at this depth.
  std::uint64_t depth = std::numeric_limits<std::uint64_t>::max();
  // Limit for the bytes of all stacks. Beyond it, the deepest stacks are cut to a depth that fits,
  // and a comment says so.
  std::uint64_t most_stack_bytes = kMostStackBytes;
};
// Returns an error when an amount does not fit the format's 63 bits.
Status write_pprof(const ReportModel& model, const PprofOptions& options, Output& out);

}  // namespace copse::report
