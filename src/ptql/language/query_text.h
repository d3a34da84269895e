// What stands around queries in a file: several with ; between them, and names for what differs from
// program to program:
//
//   -- ${dao} = java.sql.Statement        a comment line that gives the name and its default
//   ... WHERE q.declaringClass = '${dao}'
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace copse::ptql {

struct Definition {
  std::string name;   // without ${ }
  std::string value;  // as it is; quotes are doubled where it is put in
};

// Those with a comment line; ${x} of others is text like any other.
std::vector<Definition> definitions_of(std::string_view text);
// The text with values in the place of names: of `chosen`, or else the default.
std::string with_values(std::string_view text, const std::vector<Definition>& chosen);

// Whether there is more than blanks and comments.
bool has_query(std::string_view text);

// Each query, at its place: what stands before it is blank, so that lines and columns are those of
// `text`. One at least, which may be empty.
std::vector<std::string> split_queries(std::string_view text);

}  // namespace copse::ptql
