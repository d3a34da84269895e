// Whether the text of a String object makes a difference to a query, or its identity alone does.
#pragma once

#include "ptql/language/query.h"

namespace copse::ptql {

// True of a field that may hold one when it is selected, matched with a pattern, or compared with a literal, and
// of a field that is the text of one.
bool needs_text(const Query& query, const FieldReference& field);

}  // namespace copse::ptql
