// Cost of context ids while a program runs: the same command without Copse and with each live encoder alone, round by
// round, so that other load of the machine affects all of them.
//
// Computes figures only; cli/research/live_rounds.h runs the command.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/scheme_facts.h"

namespace copse::study {

struct LiveRun {
  double wall_seconds = 0;
  std::uint64_t peak_bytes = 0;  // resident, of the command's largest process
  int exit_status = 0;
};

struct LiveScheme {
  std::string name;
  std::vector<LiveRun> runs;              // one per round
  std::string left_out;                   // reason why there are none; "" if there are runs
  std::string failure;                    // reason why the runs do not count; "" if they do
  std::vector<EncoderFigures> jvms = {};  // JVMs of the last round
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
  std::uint64_t peak_bytes = 0;  // median of the rounds
};
// REQUIRES: at least one run.
LiveFigures figures_of(const std::vector<LiveRun>& runs);

struct LiveRatios {
  double slowdown = 0;  // median divided by the median of the bare runs
  double least = 0;     // least of the rounds, each divided by the bare run of its own round
  double most = 0;
  double memory = 0;  // peaks, median divided by median
};
// Returns std::nullopt for a scheme without runs that count.
std::optional<LiveRatios> ratios_of(const LiveScheme& scheme, const LiveComparison& live);

// Notes why a scheme's runs do not count: an exit status other than that of the bare runs, which all have the same.
void check_exit_statuses(LiveComparison& live);

}  // namespace copse::study
