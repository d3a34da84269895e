// What changed by method and by package.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diff/comparison.h"

namespace copse::diff {

struct MethodChange {
  std::int32_t method = 0;
  std::uint64_t old_calls = 0, new_calls = 0;
  std::uint64_t old_exclusive = 0, new_exclusive = 0;
  std::uint64_t old_inclusive = 0, new_inclusive = 0;  // recursion counted once
};
// Methods of which some of the numbers differ; the largest difference of exclusive amounts first, then of
// inclusive ones, then in the order of methods. `measure`: index into comparison.measures.
std::vector<MethodChange> find_method_changes(const Comparison& comparison, std::size_t measure);

struct PackageChange {
  std::string package;  // "" for the one without name
  std::uint64_t old_exclusive = 0, new_exclusive = 0;
};
// Packages of which the sums differ, the largest difference first, then by name.
std::vector<PackageChange> find_package_changes(const Comparison& comparison, std::size_t measure);

}  // namespace copse::diff
