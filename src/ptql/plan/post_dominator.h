// At which event all that an answer needs is known.
#pragma once

#include <optional>

#include "ptql/plan/plan.h"

namespace copse::ptql {

// The earliest qualifying node of those that no other one is before; of several, a START, then the
// one first in the query. Nothing when there is none.
std::optional<Node> find_post_dominator(const Plan& plan, const Strategy& strategy);

}  // namespace copse::ptql
