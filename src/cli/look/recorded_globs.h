// Whether a recording of values has what a query asks for. Its globs chose methods before the query
// was known, so that their records alone are there.
#pragma once

#include <string>
#include <vector>

#include "cli/look/ptql_queries.h"

namespace copse::cli {

// A sentence that names the globs, and the identifiers that methods or objects outside of them can be
// records of; "" where none is found. What it says is so; not found may be a class or method that only
// a complicated regular expression takes. `globs`: of copse record --values.
std::string what_globs_leave_out(const AskedQueries& asked, const std::vector<std::string>& globs);

}  // namespace copse::cli
