// The methods of a class path that a plan wants probes in.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "ptql/plan/plan.h"

namespace copse::cli {

// A line for each, in the order of the class path, below a line with their number; jars and folders
// may be joined by ':'. The error: "PATH: why".
Result<std::string> probed_methods_text(const ptql::Plan& plan,
                                        const std::vector<std::string>& class_paths);

}  // namespace copse::cli
