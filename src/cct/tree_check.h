// What must hold of every context tree.
#pragma once

#include "base/status.h"
#include "cct/context_tree.h"

namespace copse::cct {

// Parents come before their children, ROOT is its own parent, only ROOT has no method, no two
// siblings have the same key. Cost: O(n log n), 16 bytes per node; for tests and checks.
Status check_invariants(const ContextTree& tree);

// Sum of the calls of all nodes.
std::uint64_t total_calls(const ContextTree& tree) noexcept;

}  // namespace copse::cct
