// What goes together in a query. Each function gives what is wrong, or nothing.
#pragma once

#include <optional>

#include "ptql/language/query.h"

namespace copse::ptql {

// A comparison that its types make false, or true, for all records is a mistake. `place`: where the
// predicate begins.
std::optional<Problem> check_types(const Query& query, const Predicate& predicate, Place place);
// Returns true if the predicate compares two fields by the identity of objects (Predicate::of_objects).
bool is_of_objects(const Query& query, const Predicate& predicate);
// Of COUNT and GROUP BY. `place`: where the groups are, or would be.
std::optional<Problem> check_groups(const Query& query, Place place);

}  // namespace copse::ptql
