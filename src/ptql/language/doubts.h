// Finds predicates that a query's author probably did not mean: a pattern after =, a name that no class or method has.
#pragma once

#include <string>
#include <vector>

#include "ptql/language/query.h"

namespace copse::ptql {

// Returns a sentence for each such predicate: its meaning, and the predicate that was probably meant.
std::vector<std::string> doubts_about(const Query& query);

}  // namespace copse::ptql
