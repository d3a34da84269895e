#include "fleet/selection_condition.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "fleet/clickhouse.h"
#include "fleet/tables.h"

namespace copse::fleet {

// "and", "or" of its parts, or a comparison.
struct SelectionCondition::Node {
  enum class Kind { kAnd, kOr, kComparison };
  Kind kind = Kind::kComparison;
  std::vector<std::shared_ptr<const Node>> parts;
  std::string column;
  std::string comparison;           // "=", "NOT IN"
  std::vector<std::string> values;  // texts and days, without quotes
};

namespace {

using Node = SelectionCondition::Node;
using NodePointer = std::shared_ptr<const Node>;

constexpr std::size_t kLongest = 10'000;
constexpr int kDeepest = 100;
constexpr std::string_view kDayColumn = "day";
constexpr std::array<std::string_view, 3> kColumns = {"service", "version", kDayColumn};

struct Token {
  enum class Kind { kWord, kText, kDay, kSign, kEnd };
  Kind kind = Kind::kEnd;
  std::string text;        // a word in capitals; a text without its quotes
  std::size_t column = 0;  // from 1
};

// A syntax error and its place.
struct Mistake {
  std::size_t column;
  std::string why;
};

char upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }
std::string in_capitals(std::string_view word) {
  std::string capitals(word);
  std::transform(word.begin(), word.end(), capitals.begin(), upper);
  return capitals;
}
bool is_letter(char c) { return (upper(c) >= 'A' && upper(c) <= 'Z') || c == '_'; }

Token take_token(std::string_view all, std::size_t& at) {
  while (at < all.size() && (all[at] == ' ' || all[at] == '\t' || all[at] == '\n')) ++at;
  Token token;
  token.column = at + 1;
  if (at == all.size()) return token;
  const std::string_view rest = all.substr(at);
  if (rest[0] == '\'') {
    token.kind = Token::Kind::kText;
    for (std::size_t i = 1; i < rest.size(); ++i) {
      if (rest[i] == '\'' && (i + 1 == rest.size() || rest[i + 1] != '\'')) {
        at += i + 1;
        return token;
      }
      if (rest[i] == '\'') ++i;
      token.text += rest[i];
    }
    throw Mistake{token.column, "a text that begins here does not end"};
  }
  if (rest.size() >= kDayLength && is_day(rest.substr(0, kDayLength))) {
    token.kind = Token::Kind::kDay;
    token.text = rest.substr(0, kDayLength);
    at += kDayLength;
    return token;
  }
  if (is_letter(rest[0])) {
    token.kind = Token::Kind::kWord;
    const auto* const end = std::find_if_not(rest.begin(), rest.end(), is_letter);
    token.text = in_capitals(rest.substr(0, static_cast<std::size_t>(end - rest.begin())));
    at += token.text.size();
    return token;
  }
  for (const std::string_view sign : {"<=", ">=", "!=", "<>", "<", ">", "=", "(", ")", ","}) {
    if (!rest.starts_with(sign)) continue;
    token.kind = Token::Kind::kSign;
    token.text = sign;
    at += sign.size();
    return token;
  }
  throw Mistake{token.column, "is not understood; texts stand in '...', days as 2026-11-23"};
}

// NOT is pushed down to the comparisons; dropping a day term then only widens the condition.
class ConditionParser {
 public:
  explicit ConditionParser(std::string_view text) {
    for (std::size_t at = 0;;) {
      tokens_.push_back(take_token(text, at));
      if (tokens_.back().kind == Token::Kind::kEnd) break;
    }
  }

  NodePointer parse() {
    NodePointer node = parts(false, Node::Kind::kOr);
    if (next().kind != Token::Kind::kEnd) throw wrong("AND, OR or the end is expected");
    return node;
  }

 private:
  const Token& next() const { return tokens_[at_]; }
  Token take() { return tokens_[next().kind == Token::Kind::kEnd ? at_ : at_++]; }
  bool is_word(std::string_view word) const {
    return next().kind == Token::Kind::kWord && next().text == word;
  }
  bool take_if(bool is_wanted) {
    if (is_wanted) take();
    return is_wanted;
  }
  bool take_word(std::string_view word) { return take_if(is_word(word)); }
  bool take_sign(std::string_view sign) {
    return take_if(next().kind == Token::Kind::kSign && next().text == sign);
  }
  Mistake wrong(const std::string& why) const { return {next().column, why}; }

  // OR of ANDs.
  NodePointer parts(bool is_negated, Node::Kind kind) {
    const bool is_or = kind == Node::Kind::kOr;
    Node node;
    node.kind = is_or == is_negated ? Node::Kind::kAnd : Node::Kind::kOr;  // by De Morgan
    do {
      node.parts.push_back(is_or ? parts(is_negated, Node::Kind::kAnd) : single(is_negated));
    } while (take_word(is_or ? "OR" : "AND"));
    return node.parts.size() == 1 ? node.parts[0] : std::make_shared<Node>(std::move(node));
  }

  NodePointer single(bool is_negated) {
    if (++depth_ > kDeepest) throw wrong("has too many parentheses and NOT inside each other");
    NodePointer node;
    if (take_word("NOT")) {
      node = single(!is_negated);
    } else if (take_sign("(")) {
      node = parts(is_negated, Node::Kind::kOr);
      if (!take_sign(")")) throw wrong("AND, OR or ) is expected");
    } else {
      node = comparison(is_negated);
    }
    --depth_;
    return node;
  }

  NodePointer comparison(bool is_negated) {
    Node node;
    for (const std::string_view known : kColumns) {
      if (is_word(in_capitals(known))) node.column = known;
    }
    if (node.column.empty()) throw wrong("service, version or day is expected");
    take();
    if (take_word("NOT")) {
      if (!is_word("IN") && !is_word("LIKE") && !is_word("BETWEEN"))
        throw wrong("IN, LIKE or BETWEEN is expected");
      is_negated = !is_negated;
    }
    if (is_word("IN")) return in_list(std::move(node), is_negated);
    if (is_word("LIKE")) return like(std::move(node), is_negated);
    if (is_word("BETWEEN")) return between(std::move(node), is_negated);
    return compared(std::move(node), is_negated);
  }

  NodePointer in_list(Node node, bool is_negated) {
    take();
    if (!take_sign("(")) throw wrong("( is expected");
    do {
      node.values.push_back(value_of(node.column));
    } while (take_sign(","));
    if (!take_sign(")")) throw wrong(", or ) is expected");
    node.comparison = is_negated ? "NOT IN" : "IN";
    return std::make_shared<Node>(std::move(node));
  }

  NodePointer like(Node node, bool is_negated) {
    if (node.column == kDayColumn) throw wrong("day has no LIKE, but BETWEEN");
    take();
    node.values.push_back(value_of(node.column));
    node.comparison = is_negated ? "NOT LIKE" : "LIKE";
    return std::make_shared<Node>(std::move(node));
  }

  NodePointer between(Node node, bool is_negated) {
    if (node.column != kDayColumn) throw wrong(only_days("BETWEEN"));
    take();
    Node both;
    both.kind = is_negated ? Node::Kind::kOr : Node::Kind::kAnd;
    node.comparison = is_negated ? "<" : ">=";
    node.values = {value_of(node.column)};
    both.parts.push_back(std::make_shared<Node>(node));
    if (!take_word("AND")) throw wrong("AND is expected");
    node.comparison = is_negated ? ">" : "<=";
    node.values = {value_of(node.column)};
    both.parts.push_back(std::make_shared<Node>(node));
    return std::make_shared<Node>(std::move(both));
  }

  NodePointer compared(Node node, bool is_negated) {
    constexpr std::array<std::array<std::string_view, 2>, 7> kOpposites = {{{"=", "!="},
                                                                            {"!=", "="},
                                                                            {"<>", "="},
                                                                            {"<", ">="},
                                                                            {"<=", ">"},
                                                                            {">", "<="},
                                                                            {">=", "<"}}};
    const auto* const sign =
        std::find_if(kOpposites.begin(), kOpposites.end(), [this](const auto& of) {
          return next().kind == Token::Kind::kSign && next().text == of[0];
        });
    if (sign == kOpposites.end())
      throw wrong("=, !=, IN or LIKE is expected; of day also <, <=, >, >= and BETWEEN");
    if ((*sign)[0].find_first_of("<>") == 0 && (*sign)[0] != "<>" && node.column != kDayColumn) {
      throw wrong(only_days((*sign)[0]));
    }
    take();
    node.comparison = is_negated ? (*sign)[1] : (*sign)[0];
    if (node.comparison == "<>") node.comparison = "!=";
    node.values.push_back(value_of(node.column));
    return std::make_shared<Node>(std::move(node));
  }

  static std::string only_days(std::string_view comparison) {
    return std::string(comparison) + " is for days alone, because 2.10 comes before 2.9 as a text";
  }

  std::string value_of(const std::string& column) {
    const Token value = take();
    if (column == kDayColumn) {
      const bool is_one = value.kind == Token::Kind::kDay ||
                          (value.kind == Token::Kind::kText && is_day(value.text));
      if (!is_one) throw Mistake{value.column, "a day is expected, for example 2026-11-23"};
    } else if (value.kind != Token::Kind::kText) {
      throw Mistake{value.column, "a text in quotes is expected, for example '2.1'"};
    }
    return value.text;
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

std::string sql_of(const Node& node, bool has_days) {
  if (node.kind != Node::Kind::kComparison) {
    std::string all;
    for (const NodePointer& part : node.parts) {
      if (!all.empty()) all += node.kind == Node::Kind::kAnd ? " AND " : " OR ";
      all += sql_of(*part, has_days);
    }
    return '(' + all + ')';
  }
  const bool is_day = node.column == kDayColumn;
  if (is_day && !has_days) return "1";
  std::string values;
  for (const std::string& value : node.values) {
    values += (values.empty() ? "" : ", ") +
              (is_day ? "toDate(" + quoted_text(value) + ')' : quoted_text(value));
  }
  if (node.comparison.ends_with("IN")) values = '(' + values + ')';
  return '(' + node.column + ' ' + node.comparison + ' ' + values + ')';
}

}  // namespace

Result<SelectionCondition> SelectionCondition::parse(std::string_view text) {
  if (text.size() > kLongest) return Status::error(Fault::kUsage, "column 10001: is too long");
  try {
    return SelectionCondition(std::string(text), ConditionParser(text).parse());
  } catch (const Mistake& mistake) {
    return Status::error(Fault::kUsage,
                         "column " + std::to_string(mistake.column) + ": " + mistake.why);
  }
}

std::string SelectionCondition::sql() const { return sql_of(*node_, true); }
std::string SelectionCondition::sql_of_labels() const { return sql_of(*node_, false); }

}  // namespace copse::fleet
