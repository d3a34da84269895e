// The library of checks: queries for faults that many programs have, part of the command. Each is a file
// checks/NAME.ptql, whose first line is its title and whose comment says what an answer means, what to do
// about it, and what the check does not see.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace copse::ptql {

struct Check {
  std::string_view name;
  std::string_view title;  // one line
  std::string_view text;   // of the whole file: query_text.h
};

// In the order of their names. They live as long as the program.
const std::vector<Check>& check_library();

// What the comment of a check says below its title, without marks and definitions; lines as they are.
std::string explanation_of(const Check& check);

}  // namespace copse::ptql
