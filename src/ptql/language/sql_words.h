// SQL words that PTQL does not have, with their replacements.
#pragma once

#include <string_view>

namespace copse::ptql {

// Returns the replacement for the word, in any case: "there is no JOIN: ...". "" for all other words.
std::string_view instead_of(std::string_view word);

}  // namespace copse::ptql
