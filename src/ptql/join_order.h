// In which order the tables are joined, through which indexes, and what is tested where.
#pragma once

#include "ptql/plan.h"

namespace copse::ptql {

// Of a strategy whose graphs and post-dominator are there. Tables with an index come first, so that
// loops stay short.
void plan_joins(const Plan& plan, Strategy& strategy);
// Along each unclosed edge between two identifiers.
void plan_checks(const Plan& plan, Strategy& strategy);

// Whether a predicate is tested where records are joined: it is of several, and no order of stamps.
bool is_joined(const Plan& plan, std::size_t predicate);
// The best way into the table of `identifier` that one of the predicates is, given those `bound`.
std::optional<Probe> best_probe(const Query& query, const std::vector<std::size_t>& predicates,
                                std::uint32_t identifier, IdentifierSet bound);
// All that can be tested when a record of `identifier` joins those of `bound`; of `edges` those of them.
JoinStep step_to(const Plan& plan, const std::vector<TimingEdge>& edges, std::uint32_t identifier,
                 IdentifierSet bound);

}  // namespace copse::ptql
