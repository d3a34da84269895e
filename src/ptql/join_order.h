// In which order the tables are joined, through which indexes, and what is tested where.
#pragma once

#include "ptql/plan.h"

namespace copse::ptql {

// Of a strategy whose graphs and post-dominator are there. Tables with an index come first, so that
// loops stay short.
void plan_joins(const Plan& plan, Strategy& strategy);
// Along each unclosed edge between two identifiers.
void plan_checks(const Plan& plan, Strategy& strategy);

}  // namespace copse::ptql
