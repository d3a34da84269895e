// Words of SQL that PTQL has not, for those who write them from habit.
#pragma once

#include <string_view>

namespace copse::ptql {

// What is written in place of the word, in any case: "there is no JOIN: ...". "" for all other words.
std::string_view instead_of(std::string_view word);

}  // namespace copse::ptql
