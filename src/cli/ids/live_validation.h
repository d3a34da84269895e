// copse validate -- COMMAND: compares context ids of a running program with its calls and with its JVM's own stack.
#pragma once

#include <string>
#include <vector>

#include "agent/options.h"

namespace copse::cli {

// Runs the command, at least one word, and checks the ids of options.encoder. Returns the exit status: 0 if ids were
// compared and none was wrong or lacked frames; 2 if the options do not fit together; else 1. The run's report says
// what was compared. `quiet`: says nothing but errors. REQUIRES: options.check_every is not 0.
int validate_live(const std::vector<std::string>& command, const agent::AgentOptions& options,
                  bool quiet);

}  // namespace copse::cli
