// Findings of a comparison for one measure; shared by its text and its JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compare/diff/changes.h"
#include "compare/diff/comparison.h"
#include "compare/diff/suggestions.h"

namespace copse::diff {

// Changes summed by method and by package.
struct MethodChange {
  std::int32_t method = 0;
  std::uint64_t old_calls = 0, new_calls = 0;
  std::uint64_t old_exclusive = 0, new_exclusive = 0;
  std::uint64_t old_inclusive = 0, new_inclusive = 0;  // recursion counted once
  std::uint64_t old_samples = 0, new_samples = 0;      // of the exclusive amounts, if they have any
};

struct PackageChange {
  std::string package;  // "" for the unnamed package
  std::uint64_t old_exclusive = 0, new_exclusive = 0;
  std::uint64_t old_samples = 0, new_samples = 0;
};

struct GroupChanges {
  // Methods with a difference in any number: largest difference of exclusive amounts first, then of
  // inclusive amounts, then in the order of methods.
  std::vector<MethodChange> methods;
  // Packages with different sums: largest difference first, then by name.
  std::vector<PackageChange> packages;
};
// `measure`: index into comparison.measures. Cost: four passes over the nodes, memory for the methods.
GroupChanges find_group_changes(const Comparison& comparison, std::size_t measure);

struct Findings {
  std::size_t measure = 0;  // index into comparison.measures
  ContextCounts contexts;
  Changes changes;
  GroupChanges groups;
  std::vector<Suggestion> suggestions;
};

// Cost: the sum of the cost of all members.
Findings find_all(const Comparison& comparison, std::size_t measure);

}  // namespace copse::diff
