// Commands to the agent in a JVM that runs, and its answers: `copse attach`, `dump` and `detach`.
#pragma once

#include <cstdint>
#include <vector>

#include "agent/line/note.h"
#include "agent/options.h"
#include "base/status.h"

namespace copse::cli {

enum class AgentIs { kThereAlready, kBroughtAlong };

// Sends the options to the agent of the process: the one that is there, else, when it may be
// brought along, ours. `manifest` is filled in. The result is what the agent notes in its answer;
// the error what it said, or why it could not be asked.
Result<std::vector<agent::Note>> tell_agent(std::int64_t pid, AgentIs agent,
                                            agent::AgentOptions options);

// Prints what the notes say to a person, but for failures, to standard error.
void say_what_was_written(const std::vector<agent::Note>& notes);

}  // namespace copse::cli
