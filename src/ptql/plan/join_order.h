// In which order the tables are joined, through which indexes, and what is tested where.
#pragma once

#include "ptql/plan/plan.h"

namespace copse::ptql {

// Of a strategy whose graphs and post-dominator are there. Tables with an index come first, and NEGATIVE
// ones as soon as it is known what there must not be, so that loops stay short.
void plan_joins(const Plan& plan, Strategy& strategy);
// Along each unclosed edge between two identifiers.
void plan_checks(const Plan& plan, Strategy& strategy);
// Since joins, checks and refutations are there: the indexes that they need.
void plan_indexes(const Plan& plan, Strategy& strategy);

// Of an order, the first table that records are taken from; its end where there is none.
std::vector<JoinStep>::const_iterator first_join(const Query& query,
                                                 const std::vector<JoinStep>& steps);
// Whether a predicate is tested where records are joined: it is of several, and no order of stamps.
bool is_joined(const Plan& plan, std::size_t predicate);
// The way into the table of `identifier` that the predicates are, given those `bound`, without its index.
Lookup lookup_by(const Query& query, const std::vector<std::size_t>& predicates,
                 std::uint32_t identifier, IdentifierSet bound);
// All that can be tested when a record of `identifier` joins those of `bound`; of `edges` those of them.
JoinStep step_to(const Plan& plan, const std::vector<TimingEdge>& edges, std::uint32_t identifier,
                 IdentifierSet bound);

}  // namespace copse::ptql
