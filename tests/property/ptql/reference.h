// The answers of a query by its definition: all tuples of all records are tested when the run is
// over. It shares with the product only the syntax tree of queries and the values.
#pragma once

#include <string>
#include <vector>

#include "ptql/language/query.h"
#include "random_run.h"

namespace copse::ptql::testing {

// Answers as text, a line for each row, in no order; each row once.
std::vector<std::string> reference_answers(const Query& query, const RandomRun& run);
std::string row_text(const std::vector<Value>& row);

}  // namespace copse::ptql::testing
