// Starts a command with the agent in it and waits for it. What the command prints, how it exits and
// which signals reach it are the command's own affair.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agent/options.h"
#include "base/status.h"
#include "cli/child_process.h"

namespace copse {

struct RunRequest {
  std::vector<std::string> command;  // at least one word
  AgentOptions options;              // paths made absolute, `manifest` set by run_program
  bool quiet = false;                // say nothing on standard error
  CommandOutput output = CommandOutput::kItsOwn;
};

// Of all JVMs of a command, as their agents say.
struct CheckedIds {
  std::uint64_t tokens = 0;        // ids found in packets
  std::uint64_t without_id = 0;    // of these, or without a known context: not compared
  std::uint64_t ids = 0;           // different ones
  std::uint64_t wrong = 0;         // tokens, compared at once
  std::uint64_t wrong_at_end = 0;  // of the different ones, compared again
  std::uint64_t collisions = 0;    // of ids that do not decode
  std::uint64_t stacks = 0;        // tokens that were compared with the JVM's stack too
  std::uint64_t stacks_wrong = 0;  // of these
};

struct RunEnd {
  CommandEnd command;
  CheckedIds checked;               // of a run with token_every
  std::uint64_t jvms_with_ids = 0;  // that ran to their end and wrote a report of ids
};

// Errors are those of the start: no agent library, a report path that cannot be written, a command
// that cannot be started.
Result<RunEnd> run_program(RunRequest request);

// The agent's library, beside this program or where it is installed.
Result<std::string> agent_library();

// A line that an agent left in a manifest, in words for a person; "" when it says nothing to one.
std::string manifest_line_in_words(const std::string& line);

}  // namespace copse
