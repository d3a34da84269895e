// Predicates that a query may have and that its author is not likely to have meant: a pattern behind =, a name that no
// class or method has.
#pragma once

#include <string>
#include <vector>

#include "ptql/language/query.h"

namespace copse::ptql {

// Returns a sentence for each such predicate: its meaning, and the predicate that was probably meant.
std::vector<std::string> doubts_about(const Query& query);

}  // namespace copse::ptql
