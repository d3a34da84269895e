// copse compare -- COMMAND: runs a command without Copse, then once with each live encoder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/progress.h"
#include "encoders/study/live_comparison.h"

namespace copse::cli {

struct LiveRequest {
  std::vector<std::string> command;   // at least one word
  std::vector<std::string> encoders;  // of encoder_names(), at least one
  std::string graph;                  // a report, for the encoders that need one; "": none
  std::uint64_t rounds = 3;
};

// The names among `asked` of encoders that keep ids in a program that runs; all when none is asked.
std::vector<std::string> inline_encoders(const std::vector<std::string>& asked);

// What the command prints to standard output is discarded, and it reads nothing; its messages stay
// on standard error. What encoders leave behind is removed. Errors: the command cannot be started,
// was interrupted, or exits now so and now so when bare. Cost: every run there is, one more to
// begin with.
Result<study::LiveComparison> run_live_rounds(const LiveRequest& request, Progress& progress);

}  // namespace copse::cli
