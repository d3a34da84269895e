#include "compare/diff/findings.h"

namespace copse::diff {

Findings find_all(const Comparison& comparison, std::size_t measure) {
  return {measure, count_contexts(comparison, measure), find_changes(comparison, measure),
          find_group_changes(comparison, measure), suggest_renames(comparison)};
}

}  // namespace copse::diff
