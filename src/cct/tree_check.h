// Checks the invariants of context trees.
#pragma once

#include "base/status.h"
#include "cct/context_tree.h"

namespace copse::cct {

// Returns an error unless parents come before their children, ROOT is its own parent, only ROOT has
// no method, and siblings differ in key. Cost: O(n log n), 16 bytes per node; for tests and checks.
Status check_invariants(const ContextTree& tree);

// Returns the sum of the calls of all nodes.
std::uint64_t total_calls(const ContextTree& tree) noexcept;

}  // namespace copse::cct
