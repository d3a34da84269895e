// Finds contexts that are gone at one place and new at another, with the same calls in their
// subtree: code that was moved into a method of its own, or out of one.
#pragma once

#include <cstdint>
#include <vector>

#include "compare/diff/comparison.h"

namespace copse::diff {

struct MovedContext {
  std::int32_t from = 0, to = 0;  // nodes of Comparison::both: in OLD only, in NEW only
  std::uint64_t calls = 0;        // in its subtree, itself included
};

// Returns unambiguous pairs of equal contexts in the order of `from`. One context of each pair at
// least has a caller in both reports. Equal: the same method with the same calls, and equal
// subtrees. Cost: linear in the contexts; temporarily 8 bytes per context.
std::vector<MovedContext> find_moved_contexts(const Comparison& comparison);

}  // namespace copse::diff
