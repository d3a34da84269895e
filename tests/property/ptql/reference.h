// The answer of a query by its definition: all tuples of all records are looked at, when the run is
// over. Of the product it takes the syntax tree of queries and what values are, nothing more.
#pragma once

#include <string>
#include <vector>

#include "ptql/language/query.h"
#include "random_run.h"

namespace copse::ptql::testing {

// A line for each row, in no order; each row once.
std::vector<std::string> reference_answers(const Query& query, const RandomRun& run);
std::string row_text(const std::vector<Value>& row);

}  // namespace copse::ptql::testing
