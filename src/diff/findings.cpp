#include "diff/findings.h"

#include <numeric>

namespace copse::diff {

Findings find_all(const Comparison& comparison, std::size_t measure) {
  return {measure, count_contexts(comparison), find_changes(comparison, measure),
          find_moved_contexts(comparison), find_group_changes(comparison, measure)};
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

}  // namespace copse::diff
