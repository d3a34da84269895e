// At which event all that an answer needs is known.
#pragma once

#include <vector>

#include "ptql/plan.h"

namespace copse::ptql {

// What a node has to come after, besides all STARTs and the edges that are checked: ENDs whose
// fields are selected or compared.
std::vector<Node> needed_ends(const Plan& plan, IdentifierSet identifiers);

// The earliest qualifying node of those that no other one is before; of several, a START, then the
// one first in the query. Nothing when there is none.
std::optional<Node> find_post_dominator(const Plan& plan, const Strategy& strategy);

}  // namespace copse::ptql
