// Finds the causes of a difference in the sum of a measure, each at the highest context that
// explains it.
//
// Calls are exact, so a difference has causes. A method called 101 times instead of once makes its whole
// subtree happen 101 times: one change, not a hundred. Let r(n) be NEW's calls of a context divided by
// OLD's. A context n below p is a change
//   * when n is in one report only and p is not: n with its subtree;
//   * when r(n) is neither 1 nor r(p): it is called more or less often per call of p. Without the change
//     r(n) would be r(p) or 1, whichever is nearer. The change accounts for the difference in n and in the
//     contexts below n whose calls follow from those of n;
//   * when NEW's measure in n is not OLD's times r(n): the cost per call differs.
// The effects of all changes add up to NEW's sum less OLD's.
//
// Sampled measures: a cost change counts only beyond chance. It is reported at the lowest contexts with such a
// difference in themselves or below: two standard errors where all callers have one, too, and four where a caller has
// none, because opposite ones cancel out in its sum. Differences within chance are no change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/number_column.h"
#include "compare/diff/comparison.h"

namespace copse::diff {

enum class ChangeKind : std::uint8_t {
  kNew,   // the context is in NEW only
  kGone,  // in OLD only
  kMore,  // called more often per call of its caller
  kFewer,
  kCost,  // another amount per call; for a sampled measure, possibly below the context
};

// "new", "gone", "more", "fewer", "cost".
const char* name_of(ChangeKind kind);

struct Change {
  std::int32_t node = 0;  // index into Comparison::both.nodes
  ChangeKind kind = ChangeKind::kNew;
  // kMore, kFewer: per call of the caller, whose calls changed, too. Else by the context's own calls.
  bool is_per_caller = false;
  double effect = 0;  // on the sum of the measure
  double error = 0;   // one standard error of `effect`; 0 means exact
};

struct Changes {
  std::vector<Change> list;  // largest effect first, then in the order of nodes
  // NEW's sum less OLD's less all effects in the list; not 0 only where differences may be chance.
  double rest = 0;
};

// `measure`: index into comparison.measures. Cost: one pass over the nodes and temporarily 4 bytes
// per node; for a sampled measure a few passes and 36 bytes per node.
Changes find_changes(const Comparison& comparison, std::size_t measure);

// Returns the inclusive amounts of the changes' contexts, in the order of `list`.
struct Inclusive {
  NumberColumn before, now;
};
Inclusive inclusive_at(const Comparison& comparison, std::size_t measure,
                       const std::vector<Change>& list);

// Returns the amounts that changed: the inclusive ones, but for a cost without those in which another cost of `all` is.
// `list`: some of `all`.
Inclusive amounts_of(const Comparison& comparison, std::size_t measure, const Changes& all,
                     const std::vector<Change>& list);

// Number of contexts by change of calls, among contexts called in either report. Counts by the
// measure instead when a report has not counted calls.
struct ContextCounts {
  std::uint64_t only_new = 0, only_old = 0, more = 0, fewer = 0, equal = 0;
};
ContextCounts count_contexts(const Comparison& comparison, std::size_t measure = 0);

}  // namespace copse::diff
