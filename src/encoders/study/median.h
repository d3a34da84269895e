// Returns the middle value, or the mean of the two middle values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace copse::study {

// REQUIRES: at least one value.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return (values[middle - 1] + values[middle]) / 2;
}

}  // namespace copse::study
