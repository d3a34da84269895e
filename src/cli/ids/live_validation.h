// copse validate -- COMMAND: context ids of a running program against its calls, and against its
// JVM's own stack.
#pragma once

#include <string>
#include <vector>

#include "agent/options.h"

namespace copse::cli {

// Runs the command, at least one word, with the ids of options.encoder checked: options.check_every
// is not 0. The exit status: 0 when ids were compared and none was wrong or lacked frames, else 1; 2 when the
// options do not fit together. What was compared is in the report that the run leaves.
int validate_live(const std::vector<std::string>& command, const agent::AgentOptions& options);

}  // namespace copse::cli
