// Contexts that are gone here and new there, with the same calls in them and below: code that was moved
// into a method of its own, or out of one.
#pragma once

#include <cstdint>
#include <vector>

#include "compare/diff/comparison.h"

namespace copse::diff {

struct MovedContext {
  std::int32_t from = 0, to = 0;  // of Comparison::both; in OLD alone, and in NEW alone
  std::uint64_t calls = 0;        // in it and below it
};

// Pairs that no other context is equal to, at least one of which has a caller in both reports.
// Equal: the same method, with the same calls, and the same below it. In the order of `from`.
// Cost: linear in the contexts; 8 bytes each while it takes.
std::vector<MovedContext> find_moved_contexts(const Comparison& comparison);

}  // namespace copse::diff
