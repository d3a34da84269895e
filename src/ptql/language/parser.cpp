// The grammar, top down. What identifiers and fields mean is looked up by Names (names.h), what
// goes together is said by the rules of types (type_rules.h).
#include <algorithm>
#include <charconv>
#include <utility>

#include "base/nearest.h"
#include "ptql/language/lexer.h"
#include "ptql/language/names.h"
#include "ptql/language/query.h"
#include "ptql/language/type_rules.h"

namespace copse::ptql {
namespace {

class Parser {
 public:
  Parser(std::string_view text, std::vector<Token> tokens)
      : text_(text), tokens_(std::move(tokens)) {}

  std::variant<Query, Problem> run() {
    const bool whole = word("SELECT", "a query begins with SELECT") && read_selected() &&
                       word("FROM", "behind what is selected comes FROM") && read_identifiers() &&
                       resolve_selected() && read_predicates() && read_grouping() &&
                       read_having() && read_order() && read_limit() && read_end();
    if (!whole) return problem_;
    return std::move(query_);
  }

 private:
  // --- words ---
  const Token& now() const { return tokens_[at_]; }
  const Token& then() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  bool is_symbol(std::string_view symbol) const {
    return now().kind == Token::Kind::kSymbol && now().text == symbol;
  }
  // Words of the language are free as identifiers, behind which there is a dot.
  bool is_word(std::string_view wanted) const {
    return now().kind == Token::Kind::kWord && same_word(now().text, wanted) &&
           !(then().kind == Token::Kind::kSymbol && then().text == ".");
  }
  bool take_symbol(std::string_view symbol) {
    if (!is_symbol(symbol)) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view wanted) {
    if (!is_word(wanted)) return false;
    ++at_;
    return true;
  }
  bool fail(Place place, std::string what) {
    problem_ = {place, std::move(what)};
    return false;
  }
  bool fail(std::optional<Problem> problem) {
    problem_ = std::move(*problem);
    return false;
  }
  std::string here() const {
    if (now().kind == Token::Kind::kEnd) return "the query ends here";
    return "here is " + std::string(text_.substr(now().begin, now().end - now().begin));
  }
  // The first word of a part of a query.
  static bool begins_clause(const Token& token) {
    constexpr std::string_view kFirst[] = {"FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT"};
    return token.kind == Token::Kind::kWord &&
           std::ranges::any_of(
               kFirst, [&token](std::string_view first) { return same_word(token.text, first); });
  }
  bool is_clause() const { return begins_clause(now()) && is_word(now().text); }
  bool is_end() const {
    return now().kind == Token::Kind::kEnd || is_symbol(";") || is_clause() || is_word("AND");
  }
  // A name is missing where a clause begins that goes on.
  bool is_clause_in_place_of_name() const {
    const Token& next = then();
    const bool ends = next.kind == Token::Kind::kEnd || next.text == "," || next.text == ";";
    return is_clause() && !ends && !begins_clause(next);
  }
  bool expected(const std::string& what) {
    const bool is_foreign = now().kind == Token::Kind::kWord && !instead_of(now().text).empty();
    return fail(now().place,
                (is_foreign ? std::string(instead_of(now().text)) : what) + "; " + here());
  }
  bool word(std::string_view wanted, const std::string& why) {
    return take_word(wanted) || expected(why);
  }
  bool symbol(std::string_view wanted, const std::string& why) {
    return take_symbol(wanted) || expected(why);
  }

  // --- SELECT and FROM ---
  bool read_selected() {
    if (take_symbol("*")) {
      all_selected_ = true;
      return true;
    }
    if (is_word("DISTINCT") && then().kind == Token::Kind::kWord) {
      return expected("there is no DISTINCT: answers are a set, so equal ones are given once");
    }
    do {
      if (is_clause() || now().kind == Token::Kind::kEnd) {
        return expected(named_.empty() ? "behind SELECT comes what an answer shows: fields as "
                                         "x.methodName, COUNT(*), or * for the most usual ones"
                                       : "behind a comma comes one more field");
      }
      if (!read_item(named_.emplace_back())) return false;
    } while (take_symbol(","));
    return true;
  }

  bool read_item(NamedItem& item) {
    item.place = now().place;
    if (now().kind != Token::Kind::kWord || then().text != "(") {
      return read_reference(item.reference);
    }
    item.aggregate = aggregate_here();
    if (item.aggregate == Aggregate::kNone) {
      return expected("what is found is combined by COUNT(*), SUM, MIN, MAX and AVG");
    }
    at_ += 2;
    const std::string name(spelled(item.aggregate));
    if (item.aggregate == Aggregate::kCount) {
      return symbol("*", "COUNT counts what was found: COUNT(*)") &&
             symbol(")", "COUNT(*) ends with )");
    }
    return read_reference(item.reference) && symbol(")", name + "(x.param0) ends with )");
  }

  Aggregate aggregate_here() const {
    for (const Aggregate one :
         {Aggregate::kCount, Aggregate::kSum, Aggregate::kMin, Aggregate::kMax, Aggregate::kAvg}) {
      if (is_word(spelled(one)) && then().text == "(") return one;
    }
    return Aggregate::kNone;
  }

  bool read_reference(NamedReference& reference) {
    reference.place = now().place;
    if (now().kind != Token::Kind::kWord) return expected("a field is written as x.startTime");
    reference.identifier = tokens_[at_++].text;
    if (!symbol(".", "behind an identifier comes a dot and a field, as in x.startTime")) {
      return false;
    }
    reference.field_place = now().place;
    do {
      if (now().kind != Token::Kind::kWord) return expected("behind the dot comes a field");
      if (!reference.field.empty()) reference.field += '.';
      reference.field += tokens_[at_++].text;
    } while (take_symbol("."));
    return true;
  }

  bool read_identifiers() {
    do {
      const bool negative = is_word("NEGATIVE");
      if (negative) ++at_;
      const Place place = now().place;
      const std::string relation = now().kind == Token::Kind::kWord ? now().text : "";
      Identifier made{"", Relation::kMethodInvocation, negative, place};
      if (same_word(relation, relation_name(Relation::kObjectAllocation))) {
        made.relation = Relation::kObjectAllocation;
      } else if (!same_word(relation, relation_name(Relation::kMethodInvocation))) {
        const std::string guess = nearest(relation, {"MethodInvocation", "ObjectAllocation"});
        return fail(place, guess.empty()
                               ? "FROM names MethodInvocation or ObjectAllocation, and "
                                 "an identifier behind it; " +
                                     here()
                               : "no relation " + relation + "; did you mean " + guess + "?");
      }
      ++at_;
      made.place = now().place;
      if (now().kind != Token::Kind::kWord || is_clause_in_place_of_name()) {
        return expected("behind " + std::string(relation_name(made.relation)) +
                        " comes an identifier");
      }
      if (is_word("AS") && then().kind == Token::Kind::kWord) {
        return fail(now().place, "there is no AS: the identifier follows at once, as in " +
                                     relation + " " + then().text);
      }
      made.name = tokens_[at_++].text;
      if (auto problem = names_.add(query_, std::move(made))) return fail(std::move(problem));
    } while (take_symbol(","));
    if (query_.positives() == 0) {
      return fail(query_.identifiers[0].place,
                  "all identifiers are NEGATIVE; one at least must be there to be found");
    }
    return true;
  }

  bool resolve_selected() {
    if (all_selected_) names_.select_all(query_);
    for (const NamedItem& item : named_) {
      SelectedItem made;
      made.aggregate = item.aggregate;
      if (made.has_field()) {
        if (auto problem = names_.find(query_, item.reference, made.field)) {
          return fail(std::move(problem));
        }
        if (query_.identifiers[made.field.identifier].negative) {
          return fail(item.place, item.reference.identifier +
                                      " is NEGATIVE: an answer has no such record to select of");
        }
        if (auto problem = check_aggregate(query_, made, item.place)) {
          return fail(std::move(problem));
        }
      }
      query_.selected.push_back(made);
    }
    return true;
  }

  // --- WHERE ---
  bool read_predicates() {
    if (!take_word("WHERE")) return true;
    do {
      if (is_end()) {
        return expected(query_.predicates.empty()
                            ? "behind WHERE come predicates, as x.methodName = 'find'"
                            : "behind AND comes one more predicate");
      }
      if (!read_predicate()) return false;
      if (is_word("OR")) {
        return fail(now().place, "there is no OR; ask a query for each, or use =~ 'a|b' for names");
      }
    } while (take_word("AND"));
    return true;
  }

  bool read_predicate() {
    const std::size_t first = at_;
    const Place place = now().place;
    if (is_symbol("(")) return expected("predicates stand without brackets: all of them hold");
    if (is_word("NOT")) return expected("there is no NOT; a NEGATIVE identifier, !~ or !=");
    Predicate predicate;
    bool read = false;
    if (is_word("under") && then().text == "(") {
      read = read_under(predicate);
    } else {
      read = read_operand(predicate.left) && read_comparison(predicate);
    }
    if (!read) return false;
    for (const FieldReference& field : fields_of(predicate)) {
      predicate.identifiers |= set_of(field.identifier);
    }
    predicate.text = text_between(first, at_);
    if (auto problem = check_types(query_, predicate, place)) return fail(std::move(problem));
    predicate.of_objects = is_of_objects(query_, predicate);
    query_.predicates.push_back(std::move(predicate));
    return true;
  }

  bool read_under(Predicate& predicate) {
    at_ += 2;
    predicate.kind = Predicate::Kind::kUnder;
    return read_operand(predicate.left) &&
           symbol(",", "under() takes a context and a glob: under(x.context, 'shop.**')") &&
           read_string(predicate.glob, "under() takes a glob between quotes") &&
           symbol(")", "under() ends with )");
  }

  bool read_comparison(Predicate& predicate) {
    if (take_word("GLOB")) {
      predicate.kind = Predicate::Kind::kGlob;
      return read_string(predicate.glob, "behind GLOB comes a glob between quotes");
    }
    if (is_symbol("=~") || is_symbol("!~")) {
      predicate.negated = is_symbol("!~");
      ++at_;
      return read_pattern(predicate);
    }
    Comparison comparison{};
    if (take_comparison(comparison)) {
      predicate.kind = Predicate::Kind::kComparison;
      predicate.comparison = comparison;
      return read_operand(predicate.right);
    }
    return no_comparison("a predicate compares by <, <=, =, !=, >=, >, =~, !~ or GLOB");
  }

  bool no_comparison(const std::string& what) {
    return expected(is_symbol("==") ? "there is no ==: equality is written =" : what);
  }

  bool take_comparison(Comparison& taken) {
    constexpr std::pair<std::string_view, Comparison> kComparisons[] = {
        {"<", Comparison::kLess},      {"<=", Comparison::kAtMost},   {"=", Comparison::kEqual},
        {"!=", Comparison::kNotEqual}, {"<>", Comparison::kNotEqual}, {">=", Comparison::kAtLeast},
        {">", Comparison::kGreater}};
    for (const auto& [spelling, comparison] : kComparisons) {
      if (!take_symbol(spelling)) continue;
      taken = comparison;
      return true;
    }
    return false;
  }

  bool read_string(std::string& text, const std::string& why) {
    if (now().kind != Token::Kind::kString) return expected(why);
    text = tokens_[at_++].text;
    return true;
  }

  bool read_pattern(Predicate& predicate) {
    predicate.kind = Predicate::Kind::kMatches;
    Place place = now().place;
    std::string expression;
    if (!read_string(expression, "behind =~ and !~ comes a regular expression between quotes")) {
      return false;
    }
    std::variant<Pattern, Pattern::Problem> compiled = Pattern::compile(expression);
    if (const auto* problem = std::get_if<Pattern::Problem>(&compiled)) {
      // Not quite the place where the string has doubled quotes or several lines.
      place.column += static_cast<std::uint32_t>(problem->offset) + 1;
      return fail(place, "regular expression: " + problem->what);
    }
    predicate.pattern = std::make_shared<const Pattern>(std::move(std::get<Pattern>(compiled)));
    return true;
  }

  bool read_operand(Operand& operand) {
    bool minus = take_symbol("-");
    do {
      Term& term = operand.terms.emplace_back(Term{minus, Value()});
      if (!read_term(term)) return false;
      minus = is_symbol("-");
    } while (take_symbol("+") || take_symbol("-"));
    return true;
  }

  bool read_term(Term& term) {
    const Token& token = now();
    if (token.kind == Token::Kind::kString) {
      term.what = Value::string(token.text);
    } else if (token.kind == Token::Kind::kNumber) {
      return read_number(term);
    } else if (is_word("true") || is_word("false")) {
      term.what = Value::boolean(same_word(token.text, "true"));
    } else if (is_word("null")) {
      term.what = Value::null();
    } else if (token.kind == Token::Kind::kWord && then().text != ".") {
      return fail(token.place,
                  "behind an identifier comes a dot and a field, as in x.startTime; a "
                  "text is between quotes: '" +
                      token.text + "'");
    } else if (token.kind == Token::Kind::kWord) {
      NamedReference named;
      FieldReference field{};
      if (!read_reference(named)) return false;
      if (auto problem = names_.find(query_, named, field)) {
        const bool is_guessed = problem->what.find("did you mean") != std::string::npos;
        if (!is_identifier(named.identifier) && !is_guessed) {
          problem->what +=
              "; a text is between quotes: '" + named.identifier + "." + named.field + "'";
        }
        return fail(std::move(problem));
      }
      term.what = field;
      return true;
    } else {
      return expected("here should be a field, as x.startTime, or a value");
    }
    ++at_;
    return true;
  }

  bool is_identifier(const std::string& name) const {
    return std::ranges::find(query_.identifiers, name, &Identifier::name) !=
           query_.identifiers.end();
  }

  // A minus belongs to the number, so that the least long can be written.
  bool read_number(Term& term) {
    const Token& token = now();
    if (token.text.find_first_of(".eE") == std::string::npos) {
      const std::string digits = (term.minus ? "-" : "") + token.text;
      std::int64_t integer = 0;
      if (std::from_chars(digits.data(), digits.data() + digits.size(), integer).ec !=
          std::errc()) {
        return fail(token.place, "a number without a point has 64 bits at most");
      }
      term.what = Value::integer(integer);
    } else {
      double real = 0;
      if (std::from_chars(token.text.data(), token.text.data() + token.text.size(), real).ec !=
          std::errc()) {
        return fail(token.place, "the number is too large or too small");
      }
      term.what = Value::real(term.minus ? -real : real);
    }
    term.minus = false;
    ++at_;
    return true;
  }

  std::string text_between(std::size_t first, std::size_t end) const {
    std::string text;
    for (std::size_t i = first; i < end; ++i) {
      if (i > first && tokens_[i].begin > tokens_[i - 1].end) text += ' ';
      text += text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
    }
    return text;
  }

  // --- behind it ---
  bool read_grouping() {
    const Place place = now().place;
    if (take_word("GROUP")) {
      if (!word("BY", "behind GROUP comes BY")) return false;
      do {
        std::size_t selected = 0;
        if (aggregate_here() != Aggregate::kNone) {
          return expected("groups are made by fields");
        }
        if (!read_selected_again(selected)) return false;
        query_.grouped_by.push_back(selected);
      } while (take_symbol(","));
    } else if (!query_.aggregates()) {
      return true;
    }
    if (auto problem = check_groups(query_, place)) return fail(std::move(problem));
    return true;
  }

  bool read_having() {
    const Place place = now().place;
    if (!take_word("HAVING")) return true;
    const Aggregate aggregate = aggregate_here();
    if (aggregate == Aggregate::kNone) {
      return expected(
          "HAVING compares the size of groups, COUNT(*) > 1, or a selected SUM, MIN, MAX or AVG");
    }
    GroupCondition condition{};
    std::string what = "COUNT(*)";
    if (aggregate == Aggregate::kCount) {
      NamedItem item;
      if (!read_item(item)) return false;
    } else {
      condition.selected = 0;
      if (!read_selected_again(*condition.selected)) return false;
      what = query_.heading(query_.selected[*condition.selected]);
    }
    if (!take_comparison(condition.comparison)) {
      return no_comparison("behind " + what + " comes a comparison");
    }
    Term term{take_symbol("-"), Value()};
    if (now().kind != Token::Kind::kNumber) return expected(what + " is compared with a number");
    const Place number = now().place;
    if (!read_number(term)) return false;
    condition.number = *std::get_if<Value>(&term.what);
    if (!condition.selected && condition.number.kind() != Value::Kind::kInteger) {
      return fail(number, "COUNT(*) is a whole number");
    }
    query_.having = std::move(condition);
    if (auto problem = check_groups(query_, place)) return fail(std::move(problem));
    return true;
  }

  // One of what is selected.
  bool read_selected_again(std::size_t& selected) {
    NamedItem item;
    if (!read_item(item)) return false;
    SelectedItem wanted;
    wanted.aggregate = item.aggregate;
    if (wanted.has_field()) {
      if (auto problem = names_.find(query_, item.reference, wanted.field)) {
        return fail(std::move(problem));
      }
    }
    for (selected = 0; selected < query_.selected.size(); ++selected) {
      const SelectedItem& known = query_.selected[selected];
      if (known.aggregate == wanted.aggregate &&
          (!known.has_field() || known.field == wanted.field)) {
        return true;
      }
    }
    return fail(item.place, query_.heading(wanted) + " is not selected; put it behind SELECT");
  }

  bool read_order() {
    if (!take_word("ORDER")) return true;
    if (!word("BY", "behind ORDER comes BY")) return false;
    do {
      OrderItem& item = query_.ordered_by.emplace_back(OrderItem{0, false});
      if (!read_selected_again(item.selected)) return false;
      item.descending = take_word("DESC");
      if (!item.descending) take_word("ASC");
    } while (take_symbol(","));
    return true;
  }

  bool read_limit() {
    if (!take_word("LIMIT")) return true;
    std::uint64_t limit = 0;
    const Token& token = now();
    const auto [end, error] =
        std::from_chars(token.text.data(), token.text.data() + token.text.size(), limit);
    if (token.kind != Token::Kind::kNumber || error != std::errc() ||
        end != token.text.data() + token.text.size() || limit == 0) {
      return expected("behind LIMIT comes a number of answers, at least 1");
    }
    query_.limit = limit;
    ++at_;
    return true;
  }

  bool read_end() {
    take_symbol(";");
    if (now().kind == Token::Kind::kEnd) return true;
    if (is_symbol(";")) return expected("nothing more is expected");
    for (const std::string_view clause : {"WHERE", "AND", "GROUP", "HAVING", "ORDER", "LIMIT"}) {
      if (!is_word(clause)) continue;
      return expected(
          "behind FROM come WHERE, GROUP BY, HAVING, ORDER BY and LIMIT, once each and in "
          "this order");
    }
    const std::string typed = now().kind == Token::Kind::kWord ? now().text : "";
    return expected(
        "nothing more is expected" +
        did_you_mean(typed, {"WHERE", "AND", "GROUP", "HAVING", "ORDER", "LIMIT", "DESC", "ASC"}));
  }

  const std::string_view text_;
  const std::vector<Token> tokens_;
  std::size_t at_ = 0;
  Names names_;
  bool all_selected_ = false;
  std::vector<NamedItem> named_;  // behind SELECT, before their identifiers are known
  Query query_;
  Problem problem_;
};

}  // namespace

std::variant<Query, Problem> parse_query(std::string_view text) {
  std::variant<std::vector<Token>, Problem> tokens = tokens_of(text);
  if (auto* problem = std::get_if<Problem>(&tokens)) return std::move(*problem);
  return Parser(text, std::move(std::get<std::vector<Token>>(tokens))).run();
}

}  // namespace copse::ptql
