// Methods of a class path in which a plan wants probes.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "ptql/plan/plan.h"

namespace copse::cli {

// Returns a line with their number, then one line per method in the order of the class path. Jars and folders may be
// joined by ':'. Error: "PATH: why".
Result<std::string> probed_methods_text(const ptql::Plan& plan,
                                        const std::vector<std::string>& class_paths);

}  // namespace copse::cli
