#include "ptql/language/lexer.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/printable.h"
#include "base/utf8.h"

namespace copse::ptql {
namespace {

constexpr std::size_t kLongestQuery = 64 << 10;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Returns the hint for a character that means nothing, beginning with "; "; "" if there is none.
std::string in_place_of(std::string_view character) {
  if (character == "&") return "; predicates have AND between them";
  if (character == "|") return "; there is no OR: ask a query for each, or use =~ 'a|b' for names";
  if (character == "[") return "; parameters are numbered fields: x.param0, x.param1";
  constexpr std::string_view kQuotes[] = {"`",      "\u2018", "\u2019", "\u201c",
                                          "\u201d", "\u00ab", "\u00bb"};
  if (std::ranges::find(kQuotes, character) != std::end(kQuotes)) {
    return "; texts are between ' and ', or \" and \"";
  }
  if (character == "#" || character == "/") return "; comments begin with --";
  return "";
}

class Lexer {
 public:
  explicit Lexer(std::string_view query) : query_(query) {}

  std::variant<std::vector<Token>, Problem> run() {
    if (query_.size() > kLongestQuery) return Problem{{}, "a query is at most 64 KiB long"};
    while (!problem_ && skip_blanks()) take_token();
    if (problem_) return *problem_;
    tokens_.push_back({Token::Kind::kEnd, "", place_, at_, at_});
    return std::move(tokens_);
  }

 private:
  // False at the end.
  bool skip_blanks() {
    while (at_ < query_.size()) {
      if (query_.substr(at_, 2) == "--") {
        while (at_ < query_.size() && query_[at_] != '\n') advance();
      } else if (is_space(query_[at_])) {
        advance();
      } else {
        return true;
      }
    }
    return false;
  }

  void take_token() {
    const std::size_t begin = at_;
    const Place place = place_;
    const char c = query_[at_];
    if (c == '\'' || c == '"') {
      take_string(c);
      return;
    }
    Token::Kind kind = Token::Kind::kSymbol;
    if (begins_word(c)) {
      kind = Token::Kind::kWord;
      take_word();
    } else if (is_digit(c)) {
      kind = Token::Kind::kNumber;
      take_number();
      if (at_ < query_.size() && begins_word(query_[at_])) {
        take_word();
        problem_ = {place, std::string(query_.substr(begin, at_ - begin)) + " is no number"};
        return;
      }
    } else if (!take_symbol()) {
      advance();
      if (problem_) return;
      const std::string_view wrong = query_.substr(begin, at_ - begin);
      problem_ = {place, "a " + printable(wrong) + " means nothing here" + in_place_of(wrong)};
      return;
    }
    tokens_.push_back({kind, std::string(query_.substr(begin, at_ - begin)), place, begin, at_});
  }

  void take_word() {
    while (at_ < query_.size() && (begins_word(query_[at_]) || is_digit(query_[at_]))) advance();
  }

  void take_number() {
    const auto digits = [this] {
      while (at_ < query_.size() && is_digit(query_[at_])) advance();
    };
    digits();
    if (at_ + 1 < query_.size() && query_[at_] == '.' && is_digit(query_[at_ + 1])) {
      advance();
      digits();
    }
    if (at_ < query_.size() && (query_[at_] == 'e' || query_[at_] == 'E')) {
      std::size_t exponent = at_ + 1;
      if (exponent < query_.size() && (query_[exponent] == '-' || query_[exponent] == '+')) {
        ++exponent;
      }
      if (exponent < query_.size() && is_digit(query_[exponent])) {
        while (at_ < exponent) advance();
        digits();
      }
    }
  }

  bool take_symbol() {
    constexpr std::string_view kSymbols[] = {"<=", ">=", "!=", "<>", "=~", "!~", "==", "<", ">",
                                             "=",  "+",  "-",  "*",  ",",  ".",  "(",  ")", ";"};
    for (const std::string_view symbol : kSymbols) {
      if (!query_.substr(at_).starts_with(symbol)) continue;
      for (std::size_t i = 0; i < symbol.size(); ++i) advance();
      return true;
    }
    return false;
  }

  void take_string(char quote) {
    const std::size_t begin = at_;
    const Place place = place_;
    std::string text;
    advance();
    while (at_ < query_.size()) {
      if (query_[at_] != quote) {
        const std::size_t from = at_;
        advance();
        if (problem_) return;
        text += query_.substr(from, at_ - from);
      } else if (query_.substr(at_ + 1, 1) == std::string_view(&quote, 1)) {
        advance();
        advance();
        text += quote;
      } else {
        advance();
        tokens_.push_back({Token::Kind::kString, std::move(text), place, begin, at_});
        return;
      }
    }
    problem_ = {
        place, "the string that begins here does not end; a quote in a string is doubled: 'it''s'"};
  }

  // Over one character.
  void advance() {
    std::string_view rest = query_.substr(at_);
    const char32_t c = take_code_point(rest);
    if (c == 0xFFFD && !query_.substr(at_).starts_with("\xEF\xBF\xBD")) {
      problem_ = {place_, "the byte here is no UTF-8"};
    }
    at_ = query_.size() - rest.size();
    if (c == '\n') {
      ++place_.line;
      place_.column = 1;
    } else {
      ++place_.column;
    }
  }

  const std::string_view query_;
  std::size_t at_ = 0;
  Place place_;
  std::vector<Token> tokens_;
  std::optional<Problem> problem_;
};

}  // namespace

std::variant<std::vector<Token>, Problem> tokens_of(std::string_view query) {
  return Lexer(query).run();
}

bool same_word(std::string_view left, std::string_view right) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(left, right, {}, lower, lower);
}

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
