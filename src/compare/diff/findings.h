// Findings of a comparison for one measure; shared by its text and its JSON.
#pragma once

#include <cstddef>
#include <vector>

#include "compare/diff/changes.h"
#include "compare/diff/comparison.h"
#include "compare/diff/group_changes.h"
#include "compare/diff/suggestions.h"

namespace copse::diff {

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
