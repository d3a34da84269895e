// Splits a query into words. Skips comments, from -- to the end of the line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ptql/language/query.h"

namespace copse::ptql {

struct Token {
  enum class Kind : std::uint8_t { kWord, kNumber, kString, kSymbol, kEnd };
  Kind kind;
  std::string text;  // for a string: without its quotes, '' as '
  Place place;
  std::size_t begin;  // in bytes of the query
  std::size_t end;
};

// Returns the tokens; the last is a kEnd. Strings are quoted with ' or ".
std::variant<std::vector<Token>, Problem> tokens_of(std::string_view query);

// Compares without regard to case, as for words of the language.
bool same_word(std::string_view left, std::string_view right);

// SQL words that PTQL does not have, with their replacements.

// Returns the replacement for the word, in any case: "there is no JOIN: ...". "" for all other words.
std::string_view instead_of(std::string_view word);

}  // namespace copse::ptql
