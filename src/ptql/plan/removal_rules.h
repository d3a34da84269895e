// Which records leave their tables although nothing that they need has gone: those that a NEGATIVE
// record rules out, and those that say what another one has said before.
#pragma once

#include "ptql/plan/plan.h"

namespace copse::ptql {

// Of a strategy whose graphs and post-dominator are there.
void plan_removals(const Plan& plan, Strategy& strategy);

}  // namespace copse::ptql
