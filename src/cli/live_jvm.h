// Commands to the agent in a JVM that runs, and its answers: `copse attach`, `dump` and `detach`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agent/options.h"
#include "base/status.h"

namespace copse {

enum class AgentIs { kThereAlready, kBroughtAlong };

// Sends the options to the agent of the process: the one that is there, else, when it may be
// brought along, ours. `manifest` and `quiet` are filled in. The result is what the agent noted in
// the manifest, line by line; the error what it said, or why it could not be asked.
Result<std::vector<std::string>> tell_agent(std::int64_t pid, AgentIs agent, AgentOptions options);

// What stands behind the first tabs of the line that begins with `kind`; empty when there is none.
std::vector<std::string> fields_of(const std::vector<std::string>& lines, const std::string& kind);

// Prints what the lines say to a person, but for failures, to standard error.
void say_what_was_written(const std::vector<std::string>& lines);

}  // namespace copse
