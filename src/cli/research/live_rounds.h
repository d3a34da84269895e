// copse compare -- COMMAND: runs a command without Copse, then once with each live encoder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agent/options.h"
#include "base/status.h"
#include "cli/progress.h"
#include "encoders/study/live_comparison.h"

namespace copse::cli {

struct LiveRequest {
  std::vector<std::string> command;   // at least one word
  agent::AgentOptions options;        // of IdOptions: all but encoder, graph and output
  std::vector<std::string> encoders;  // some of encoder_names(), at least one
  std::string graph;                  // a report, for the encoders that need one; "" means none
  std::uint64_t rounds = 3;
};

// Returns the encoders in `asked` that keep ids in a running program; all of them if `asked` is empty.
std::vector<std::string> inline_encoders(const std::vector<std::string>& asked);

// Runs the rounds. The command's standard output is discarded and its standard input empty; its standard error is
// shown. Files of the encoders are removed. Errors: the command cannot be started, was interrupted, or its exit status
// without Copse varies. Cost: all runs of all rounds, and one run to begin with.
Result<study::LiveComparison> run_live_rounds(const LiveRequest& request, Progress& progress);

}  // namespace copse::cli
