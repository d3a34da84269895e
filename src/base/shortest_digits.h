// Real numbers as text, without the tables of std::to_chars, which take 120 KB.
#pragma once

#include <string>

namespace copse {

// Returns the shortest text that reads back equal, as std::to_chars() does: "0.1", "1e+05", "-2.5". The locale has no
// effect. REQUIRES: `number` is finite.
std::string shortest_digits(double number);

}  // namespace copse
