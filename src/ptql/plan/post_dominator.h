// Finds the event at which all that an answer needs is known.
#pragma once

#include <optional>

#include "ptql/plan/plan.h"

namespace copse::ptql {

// Returns the earliest qualifying node among the nodes that no other node precedes; on a tie, a START, then the first
// in the query. Returns std::nullopt if there is none.
std::optional<Node> find_post_dominator(const Plan& plan, const Strategy& strategy);

}  // namespace copse::ptql
