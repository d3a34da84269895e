// Decides whether a recording of values can answer a query: its globs chose methods before the query was known, and
// only their records are there.
#pragma once

#include <string>
#include <vector>

#include "cli/look/ptql_queries.h"

namespace copse::cli {

// Returns a sentence that names the globs, and the identifiers that methods or objects outside the globs can match; ""
// if none is found. The sentence is always true. It may miss a class or method that only a complicated regular
// expression matches. `globs`: of copse record --values.
std::string what_globs_leave_out(const AskedQueries& asked, const std::vector<std::string>& globs);

}  // namespace copse::cli
