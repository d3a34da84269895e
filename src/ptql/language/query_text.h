// Splits files into queries separated by ; and replaces names for values that differ between programs:
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
  std::string value;  // as written; with_values() doubles quotes
};

// Returns the names defined by a comment line; ${x} without such a line is ordinary text.
std::vector<Definition> definitions_of(std::string_view text);
// Replaces names by values: those of `chosen`, or else the defaults.
std::string with_values(std::string_view text, const std::vector<Definition>& chosen);

// Returns true if the text has more than blanks and comments.
bool has_query(std::string_view text);

// Returns each query with blanks in place of the text before it, so that lines and columns are those of `text`. Returns
// at least one query, which may be empty.
std::vector<std::string> split_queries(std::string_view text);

// Library of checks: queries for common faults, part of the command. Each is a file checks/NAME.ptql. Its first line is
// the title; its comment says what an answer means, what to do about it, and what the check misses.
struct Check {
  std::string_view name;
  std::string_view title;  // one line
  std::string_view text;   // whole file: query_text.h
};

// Returns the checks, ordered by name. They live as long as the program.
const std::vector<Check>& check_library();

// Returns the comment of a check below its title, without comment marks and definitions; line breaks are kept.
std::string explanation_of(const Check& check);

}  // namespace copse::ptql
