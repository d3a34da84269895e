// Plans the removal of records that still have all their support: records that a NEGATIVE record rules out, and records
// that repeat an earlier one.
#pragma once

#include "ptql/plan/plan.h"

namespace copse::ptql {

// REQUIRES: the graphs and the post-dominator of `strategy` are set.
void plan_removals(const Plan& plan, Strategy& strategy);

}  // namespace copse::ptql
