// Rules in a file, one a line; '#' begins a comment, at the start of a line or behind a blank.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "compare/gate/rule.h"

namespace copse::gate {

// "RULE's words": the error begins with "FILE:LINE: ", and goes on as in_words() has it.
Result<std::vector<Rule>> read_rules(std::string_view text, const std::string& name);
// The same of a file; one that has no rule is an error.
Result<std::vector<Rule>> read_rules_file(const std::string& path);

}  // namespace copse::gate
