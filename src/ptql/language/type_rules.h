// Type rules of a query. Each function returns the problem, or std::nullopt.
#pragma once

#include <optional>

#include "ptql/language/query.h"

namespace copse::ptql {

// Rejects a comparison that is true, or false, for all records because of its types. `place`: start of the predicate.
std::optional<Problem> check_types(const Query& query, const Predicate& predicate, Place place);
// Returns true if the predicate compares two fields by the identity of objects (Predicate::of_objects).
bool is_of_objects(const Query& query, const Predicate& predicate);
// Rejects SUM, MIN, MAX and AVG of a field that is never a number.
std::optional<Problem> check_aggregate(const Query& query, const SelectedItem& item, Place place);
// Checks aggregates and GROUP BY. `place`: where the groups are, or would be.
std::optional<Problem> check_groups(const Query& query, Place place);

}  // namespace copse::ptql
