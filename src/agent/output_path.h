// Where a run's report goes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace copse {

// The path with %p (process id), %t (UTC, YYYYMMDD-hhmmss of `started`, seconds since the epoch)
// and
// %% filled in.
std::string expand_output_path(std::string_view pattern, std::int64_t pid, std::int64_t started);

// Whether a file can be made there, "PATH: why" if not: a report that cannot be written should be
// known before the run, not after it.
Status check_writable(const std::string& path);

// Several JVMs under one command share a manifest. The first to come keeps `path`; every other gets
// its process id put before the extension, so that no report replaces another.
std::string claim_output_path(const std::string& manifest, const std::string& path,
                              std::int64_t pid);

// Where the graph file of a run that keeps context ids lies: its report's path, ending in .graph.
std::string graph_path(const std::string& report_path);

}  // namespace copse
