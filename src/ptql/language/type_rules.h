// Type rules of a query. Each function returns the problem, or std::nullopt.
#pragma once

#include <optional>
#include <string>
#include <vector>

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

// Finds predicates that a query's author probably did not mean: a pattern after =, a name that no class or method has.

// Returns a sentence for each such predicate: its meaning, and the predicate that was probably meant.
std::vector<std::string> doubts_about(const Query& query);

// Returns true for a field that is the text of a String, and for a field that may hold a String and is selected,
// matched with a pattern, or compared with a literal.
bool needs_text(const Query& query, const FieldReference& field);

}  // namespace copse::ptql
