// The words of a query. Comments, from -- to the line's end, are left out.
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
  std::string text;  // of a string: without its quotes, '' as '
  Place place;
  std::size_t begin;  // in bytes of the query
  std::size_t end;
};

// The last one is a kEnd. Strings stand between ' or ".
std::variant<std::vector<Token>, Problem> tokens_of(std::string_view query);

// Words of the language are written in any case.
bool same_word(std::string_view left, std::string_view right);

}  // namespace copse::ptql
