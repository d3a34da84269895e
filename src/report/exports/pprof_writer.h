// A profile of pprof: github.com/google/pprof/proto/profile.proto, compressed by gzip.
//
// A sample for each context with everything that was counted in it, a value type for each measure. A
// location is a method at the line of its call; a function's system name has its descriptor. Threads
// of --by-thread are the label "thread".
#pragma once

#include <cstdint>
#include <limits>

#include "base/status.h"
#include "report/model/report_model.h"
#include "report/output.h"

namespace copse::report {

// Readers take protocol buffers below 2 GiB. Some of it is left for names.
inline constexpr std::uint64_t kMostStackBytes = std::uint64_t{3} << 29;

struct PprofOptions {
  // Deeper amounts are those of their callers at this depth.
  std::uint64_t depth = std::numeric_limits<std::uint64_t>::max();
  // Of all stacks; where they are more, the deepest are cut likewise, and a comment says so.
  std::uint64_t most_stack_bytes = kMostStackBytes;
};
// An error when an amount does not fit the format's 63 bits.
Status write_pprof(const ReportModel& model, const PprofOptions& options, Output& out);

}  // namespace copse::report
