// Plans the order of joins, their indexes, and where predicates are tested.
#pragma once

#include "ptql/plan/plan.h"

namespace copse::ptql {

// Plans the joins. Tables with an index come first, and NEGATIVE tables as soon as their predicates are decided, so
// that loops stay short. REQUIRES: the graphs and the post-dominator of `strategy` are set.
void plan_joins(const Plan& plan, Strategy& strategy);
// Plans a check along each unclosed edge between two identifiers.
void plan_checks(const Plan& plan, Strategy& strategy);
// Plans the indexes that joins, checks and refutations need. REQUIRES: those are planned.
void plan_indexes(const Plan& plan, Strategy& strategy);

// Returns the first step of an order that takes records from a table; the order's end if there is none.
std::vector<JoinStep>::const_iterator first_join(const Query& query,
                                                 const std::vector<JoinStep>& steps);
// Returns true if a predicate is tested in joins: it names several identifiers, or one that has no dynamic filter, and is
// no order of stamps.
bool is_joined(const Plan& plan, std::size_t predicate);
// Returns the probes that the predicates give for the table of `identifier` when `bound` are known; its index is not
// set.
Lookup lookup_by(const Plan& plan, const std::vector<std::size_t>& predicates,
                 std::uint32_t identifier, IdentifierSet bound);
// Returns all tests that can be made when a record of `identifier` joins those of `bound`, with the matching `edges`.
JoinStep step_to(const Plan& plan, const std::vector<TimingEdge>& edges, std::uint32_t identifier,
                 IdentifierSet bound);

}  // namespace copse::ptql
