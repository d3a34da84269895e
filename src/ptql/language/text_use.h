// Decides whether a query reads the text of a String object, or its identity only.
#pragma once

#include "ptql/language/query.h"

namespace copse::ptql {

// Returns true for a field that is the text of a String, and for a field that may hold a String and is selected,
// matched with a pattern, or compared with a literal.
bool needs_text(const Query& query, const FieldReference& field);

}  // namespace copse::ptql
