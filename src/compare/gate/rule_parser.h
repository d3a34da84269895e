// Rules from text, and what is wrong with one that is none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "compare/gate/rule.h"

namespace copse::gate {

struct RuleError {
  std::size_t column = 1;  // of the character at which it shows, from 1
  std::string why;         // printable
};

std::variant<Rule, RuleError> parse_rule(std::string_view text);

// "column 7: why", and below it the rule and a caret under the column; lines end in '\n' but for the
// last. The rule is printable, and cut to what is around the column where it is long.
std::string in_words(const RuleError& error, std::string_view rule);

}  // namespace copse::gate
