// Whether the text of a String object makes a difference to a query, or its identity alone does.
#pragma once

#include "ptql/query.h"

namespace copse::ptql {

// Of a field that may hold one: it is selected, matched with a pattern, or compared with a text. A field
// that is the text of one always.
bool needs_text(const Query& query, const FieldReference& field);

}  // namespace copse::ptql
