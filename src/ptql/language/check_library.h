// Library of checks: queries for common faults, part of the command. Each is a file checks/NAME.ptql. Its first line is
// the title; its comment says what an answer means, what to do about it, and what the check misses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace copse::ptql {

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
