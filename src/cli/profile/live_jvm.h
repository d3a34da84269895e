// Sends commands to the agent in a running JVM and reads its answers: `copse attach`, `dump` and `detach`.
#pragma once

#include <cstdint>
#include <vector>

#include "agent/line/note.h"
#include "agent/options.h"
#include "base/status.h"

namespace copse::cli {

enum class AgentIs { kThereAlready, kBroughtAlong };

// Sends the options to the process's agent. If it has none and `agent` allows it, loads ours first. Sets `manifest`.
// Returns the notes in the agent's answer; the error is the agent's, or the reason why it was not reached.
Result<std::vector<agent::Note>> tell_agent(std::int64_t pid, AgentIs agent,
                                            agent::AgentOptions options);

// Prints the notes for a person to standard error, without failures.
void say_what_was_written(const std::vector<agent::Note>& notes);

}  // namespace copse::cli
