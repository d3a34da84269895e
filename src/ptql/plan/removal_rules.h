// Plans the removal of records that still have all their support: records that a NEGATIVE record rules out, and records
// that repeat an earlier one.
#pragma once

#include <vector>

#include "ptql/plan/plan.h"

namespace copse::ptql {

// REQUIRES: the graphs and the post-dominator of `strategy` are set.
void plan_removals(const Plan& plan, Strategy& strategy);

// Finds invocations that cannot affect an answer yet: in every answer they follow another invocation, and no such
// invocation has happened.

// By identifier: the methods that each need an invocation before the START of a record that can be the identifier's, in
// an answer or, if NEGATIVE, against one. Empty for objects.
std::vector<IdentifierSet> started_before(const Plan& plan);

}  // namespace copse::ptql
