// What made the sum of a measure another one, each at the highest context that explains it.
//
// Calls are exact, so a difference has causes. A method that is called 101 times where it was called
// once makes all below it happen 101 times; that is one change and not a hundred. Let r(n) be NEW's
// calls of a context by OLD's. A context n below p is a change
//   * when it is in NEW alone and p is not, or in OLD alone and p is not: it and all below it;
//   * when r(n) is neither 1 nor r(p): it is called more or less often per call of p. Without that r(n)
//     would be r(p), or 1, whichever is nearer. The change accounts for the difference, in n and in the
//     contexts below it whose calls follow from those of n;
//   * when the measure is not what OLD counted in n times r(n): a call has another cost.
// What all of them account for adds up to NEW's sum less OLD's.
//
// Samples: where a measure is sampled, another cost is told where differences beyond chance (two
// standard errors) meet: at the lowest contexts that have them below, or in themselves. What is within chance is
// no change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compare/diff/comparison.h"

namespace copse::diff {

enum class ChangeKind : std::uint8_t {
  kNew,   // the context is in NEW alone
  kGone,  // in OLD alone
  kMore,  // called more often per call of its caller
  kFewer,
  kCost,  // called as often, and another amount per call, in it or, of a sampled measure, below it
};

// "new", "gone", "more", "fewer", "cost".
const char* name_of(ChangeKind kind);

struct Change {
  std::int32_t node = 0;  // of Comparison::both
  ChangeKind kind = ChangeKind::kNew;
  double effect = 0;  // on the sum of the measure
  double error = 0;   // one standard error of that; 0: it is exact
};

struct Changes {
  std::vector<Change> list;  // largest effect first, then in the order of nodes
  // NEW's sum less OLD's, less the effects in the list: 0 but where differences may be chance.
  double rest = 0;
};

// `measure`: index into comparison.measures. Cost: one pass over the nodes and 4 bytes a node while it
// takes; of a sampled measure some more, and 52.
Changes find_changes(const Comparison& comparison, std::size_t measure);

// What is in the changes' contexts and below them, of a column of the comparison; in the order of `list`.
std::vector<std::uint64_t> inclusive_at(const Comparison& comparison,
                                        const std::vector<Change>& list,
                                        const std::vector<std::uint64_t>& values);

// How many contexts have how many calls: of those that were called in either. Where a report has not counted calls,
// of the measure.
struct ContextCounts {
  std::uint64_t only_new = 0, only_old = 0, more = 0, fewer = 0, equal = 0;
};
ContextCounts count_contexts(const Comparison& comparison, std::size_t measure = 0);

}  // namespace copse::diff
