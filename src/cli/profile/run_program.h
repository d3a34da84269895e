// Starts a command with the agent in it and waits for it. What the command prints, how it exits and
// which signals reach it are the command's own affair.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agent/line/note.h"
#include "agent/options.h"
#include "base/status.h"
#include "cli/profile/child_process.h"
#include "cli/profile/manifest_words.h"

namespace copse::cli {

struct RunRequest {
  std::vector<std::string> command;  // at least one word
  agent::AgentOptions options;       // paths made absolute, `manifest` set by run_program
  bool quiet = false;                // say nothing on standard error
  CommandOutput output = CommandOutput::kItsOwn;
};

struct RunEnd {
  CommandEnd command;
  agent::CheckedIds checked;        // of all JVMs of a run with check_every
  std::uint64_t jvms_with_ids = 0;  // that ran to their end and wrote a report of ids
  bool is_empty = false;            // no JVM left a call or an event
  std::vector<agent::Note> notes;   // of all JVMs
  CommandWords words;               // to say them by
};

// Errors are those of the start: no agent library, a report path that cannot be written. A command
// that could not be started says so in its end.
Result<RunEnd> run_program(RunRequest request);

// The command's own exit status, 1 after an error, which is said, as is what kept the command from
// starting. With `fail_if_empty` also 1 when nothing was recorded and the command itself has not
// failed.
int exit_status_of(const Result<RunEnd>& ended, bool fail_if_empty);

// The agent's library, beside this program or where it is installed.
Result<std::string> agent_library();

}  // namespace copse::cli
