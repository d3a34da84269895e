// Starts a command with the agent in it and waits for it. The command keeps its own output, exit status and signals.
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
  bool quiet = false;                // print nothing on standard error
  CommandOutput output = CommandOutput::kItsOwn;
};

struct RunEnd {
  CommandEnd command;
  agent::CheckedIds checked;        // sum over all JVMs of a run with check_every
  std::uint64_t jvms_with_ids = 0;  // JVMs that ran to their end and wrote a report of ids
  bool is_empty = false;            // no JVM left a call or an event
  bool quiet = false;               // the notes were not printed
  std::vector<agent::Note> notes;   // of all JVMs
  CommandWords words;               // for printing the notes
};

// Errors: no agent library, or a report path that cannot be written. A command that could not be started is no error;
// RunEnd says so.
Result<RunEnd> run_program(RunRequest request);

// Returns the command's exit status; 1 after an error, which is printed, as is the reason why a command did not start.
// Where the command itself succeeded also 1 if a file of the run could not be written, which is printed despite `quiet`,
// and with `fail_if_empty` if nothing was recorded.
int exit_status_of(const Result<RunEnd>& ended, bool fail_if_empty);

// Returns the path of the agent's library, beside this program or where it is installed.
Result<std::string> agent_library();

}  // namespace copse::cli
