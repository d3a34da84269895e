// Parses rules and explains syntax errors.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/status.h"
#include "compare/gate/rule.h"

namespace copse::gate {

struct RuleError {
  std::size_t column = 1;  // of the character with the error, from 1
  std::string why;         // printable
};

std::variant<Rule, RuleError> parse_rule(std::string_view text);

// Returns "column 7: why", then the rule with a caret below the column; all lines but the last end
// in '\n'. The rule is made printable. A long rule is cut to the text around the column.
std::string in_words(const RuleError& error, std::string_view rule);

// Reads rules from a file, one per line. '#' begins a comment at the start of a line or after a
// blank.

// The error begins with "FILE:LINE: " and continues as in_words().
Result<std::vector<Rule>> read_rules(std::string_view text, const std::string& name);
// Reads a file. A file without a rule is an error.
Result<std::vector<Rule>> read_rules_file(const std::string& path);

}  // namespace copse::gate
