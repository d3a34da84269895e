// Reads rules from a file, one per line. '#' begins a comment at the start of a line or after a
// blank.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "compare/gate/rule.h"

namespace copse::gate {

// The error begins with "FILE:LINE: " and continues as in_words().
Result<std::vector<Rule>> read_rules(std::string_view text, const std::string& name);
// Reads a file. A file without a rule is an error.
Result<std::vector<Rule>> read_rules_file(const std::string& path);

}  // namespace copse::gate
