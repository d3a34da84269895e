// What context ids cost while a program runs: the same command without Copse and with each live
// encoder alone, round by round, so that what else the machine does meets all of them.
//
// Pure figures; who runs the command is cli/research/live_rounds.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace copse::study {

struct LiveRun {
  double wall_seconds = 0;
  std::uint64_t peak_bytes = 0;  // resident, of the command's largest process
  int exit_status = 0;
};

struct LiveScheme {
  std::string name;
  std::vector<LiveRun> runs;  // one per round
  std::string left_out;       // why there are none; "": there are
  std::string failure;        // why they do not count; "": they do
};

struct LiveComparison {
  std::string command;  // valid UTF-8
  std::uint64_t rounds = 0;
  std::vector<LiveRun> bare;  // one per round
  std::vector<LiveScheme> schemes;

  bool has_failed() const noexcept;
};

struct LiveFigures {
  double wall_seconds = 0;       // median of the rounds
  std::uint64_t peak_bytes = 0;  // median likewise
};
// Of at least one run.
LiveFigures figures_of(const std::vector<LiveRun>& runs);

struct LiveRatios {
  double slowdown = 0;  // median by median of the bare runs
  double least = 0;     // of the rounds, each by the bare run of its own round
  double most = 0;
  double memory = 0;  // peaks, median by median
};
// Nothing of a scheme without runs that count.
std::optional<LiveRatios> ratios_of(const LiveScheme& scheme, const LiveComparison& live);

// Notes why a scheme's runs do not count, if that is so: an exit status that is not that of the
// bare runs, which all have the same.
void check_exit_statuses(LiveComparison& live);

}  // namespace copse::study
