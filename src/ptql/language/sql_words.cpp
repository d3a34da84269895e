#include "ptql/language/sql_words.h"

#include <utility>

#include "ptql/language/lexer.h"

namespace copse::ptql {

std::string_view instead_of(std::string_view word) {
  constexpr std::string_view kJoin =
      "there is no JOIN: sources stand behind FROM with commas between them, and what ties them "
      "behind WHERE";
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"JOIN", kJoin},
      {"INNER", kJoin},
      {"LEFT", kJoin},
      {"ON", kJoin},
      {"LIKE", "there is no LIKE: x.methodName GLOB 'get*', or =~ 'get.*'"},
      {"IN", "there is no IN: x.methodName =~ 'get|put'"},
      {"IS", "there is no IS: x.thrown = null, or != null"},
      {"BETWEEN", "there is no BETWEEN: x.param0 >= 1 AND x.param0 <= 9"},
      {"UNION", "there is no UNION: ask two queries"},
      {"OFFSET", "there is no OFFSET"},
  };
  for (const auto& [known, instead] : kWords) {
    if (same_word(word, known)) return instead;
  }
  return {};
}

}  // namespace copse::ptql
