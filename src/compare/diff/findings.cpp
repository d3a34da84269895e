#include "compare/diff/findings.h"

#include "report/model/measure_view.h"
#include "report/model/row.h"

namespace copse::diff {

Findings find_all(const Comparison& comparison, std::size_t measure) {
  return {measure, count_contexts(comparison, measure), find_changes(comparison, measure),
          find_group_changes(comparison, measure), suggest_renames(comparison)};
}

ProgramChanges changes_of_program(const Comparison& comparison, const Findings& findings) {
  const std::vector<bool> is_jvm = report::contexts_without_calls(comparison.both);
  ProgramChanges changes;
  for (const Change& change : findings.changes.list) {
    if (is_jvm[report::at(change.node)]) {
      changes.of_jvm += change.effect;
    } else {
      changes.list.push_back(change);
    }
  }
  return changes;
}

}  // namespace copse::diff
