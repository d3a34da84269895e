#include "encoders/study/live_comparison.h"

#include <algorithm>

#include "encoders/study/replay_timer.h"

namespace copse::study {
namespace {

// For an even number of values, the mean of the middle two.
template <typename Member>
double median_of(const std::vector<LiveRun>& runs, Member member) {
  std::vector<double> values;
  for (const LiveRun& run : runs) values.push_back(static_cast<double>(run.*member));
  return median(std::move(values));
}

}  // namespace

bool LiveComparison::has_failed() const noexcept {
  return std::any_of(schemes.begin(), schemes.end(),
                     [](const LiveScheme& scheme) { return !scheme.failure.empty(); });
}

LiveFigures figures_of(const std::vector<LiveRun>& runs) {
  return {median_of(runs, &LiveRun::wall_seconds),
          static_cast<std::uint64_t>(median_of(runs, &LiveRun::peak_bytes))};
}

std::optional<LiveRatios> ratios_of(const LiveScheme& scheme, const LiveComparison& live) {
  if (!scheme.left_out.empty() || !scheme.failure.empty()) return std::nullopt;
  const LiveFigures bare = figures_of(live.bare);
  const LiveFigures with = figures_of(scheme.runs);
  LiveRatios ratios;
  ratios.slowdown = with.wall_seconds / bare.wall_seconds;
  ratios.memory = static_cast<double>(with.peak_bytes) / static_cast<double>(bare.peak_bytes);
  for (std::size_t round = 0; round < scheme.runs.size(); ++round) {
    const double ratio = scheme.runs[round].wall_seconds / live.bare[round].wall_seconds;
    ratios.least = round == 0 ? ratio : std::min(ratios.least, ratio);
    ratios.most = std::max(ratios.most, ratio);
  }
  return ratios;
}

void check_exit_statuses(LiveComparison& live) {
  const int expected = live.bare.front().exit_status;
  for (LiveScheme& scheme : live.schemes) {
    for (const LiveRun& run : scheme.runs) {
      if (run.exit_status == expected || !scheme.failure.empty()) continue;
      scheme.failure =
          "exit status " + std::to_string(run.exit_status) + ", bare " + std::to_string(expected);
    }
  }
}

}  // namespace copse::study
