// What a comparison shows by one measure: what its text and its JSON have in common.
#pragma once

#include <cstddef>
#include <vector>

#include "compare/diff/changes.h"
#include "compare/diff/comparison.h"
#include "compare/diff/group_changes.h"
#include "compare/diff/moved_contexts.h"

namespace copse::diff {

struct Findings {
  std::size_t measure = 0;  // index into comparison.measures
  ContextCounts contexts;
  Changes changes;
  std::vector<MovedContext> moved;
  GroupChanges groups;
};

// Cost: that of all of them.
Findings find_all(const Comparison& comparison, std::size_t measure);

}  // namespace copse::diff
