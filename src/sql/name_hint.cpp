#include "sql/name_hint.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>

#include "base/nearest.h"
#include "report/model/measure_view.h"

namespace copse::sql {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

// SQL does not tell 'A' from 'a' in names.
bool are_equal(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

template <typename Names>
bool has(const Names& names, std::string_view name) {
  return std::ranges::any_of(names, [&](const auto& each) { return are_equal(each, name); });
}

bool is_word_char(char c) {
  return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

struct Token {
  enum class Kind : std::uint8_t { kWord, kQuoted, kText, kSign };
  Kind kind;
  std::string text;  // of a quoted name without the quotes
  std::size_t begin;
};

// Comments are left out. A text or name without its closing quote ends with the statement.
std::vector<Token> tokens_of(std::string_view sql) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (at < sql.size()) {
    const std::size_t begin = at;
    const char c = sql[at];
    if (sql.substr(at).starts_with("--")) {
      at = std::min(sql.find('\n', at), sql.size());
    } else if (sql.substr(at).starts_with("/*")) {
      const std::size_t end = sql.find("*/", at + 2);
      at = end == sql.npos ? sql.size() : end + 2;
    } else if (is_word_char(c)) {
      while (at < sql.size() && is_word_char(sql[at])) ++at;
      tokens.push_back({Token::Kind::kWord, std::string(sql.substr(begin, at - begin)), begin});
    } else if (c == '\'' || c == '"' || c == '`' || c == '[') {
      const char quote = c == '[' ? ']' : c;
      std::string text;
      for (++at; at < sql.size(); ++at) {
        const bool is_doubled = at + 1 < sql.size() && sql[at + 1] == quote && c != '[';
        if (sql[at] == quote && !is_doubled) break;
        at += sql[at] == quote ? 1 : 0;
        text += sql[at];
      }
      at = std::min(at + 1, sql.size());
      tokens.push_back(
          {c == '\'' ? Token::Kind::kText : Token::Kind::kQuoted, std::move(text), begin});
    } else {
      ++at;
      if (c > ' ') tokens.push_back({Token::Kind::kSign, std::string(1, c), begin});
    }
  }
  return tokens;
}

constexpr std::array<std::string_view, 27> kKeywordsBehindTables = {
    "ON",    "USING",  "WHERE",  "GROUP", "ORDER",   "LIMIT", "HAVING", "JOIN",      "LEFT",
    "RIGHT", "FULL",   "INNER",  "OUTER", "CROSS",   "UNION", "EXCEPT", "NATURAL",   "INTERSECT",
    "AS",    "OFFSET", "WINDOW", "SET",   "INDEXED", "NOT",   "VALUES", "RETURNING", "SELECT"};
constexpr std::array<std::string_view, 11> kKeywordsBehindFrom = {
    "WHERE", "GROUP",  "ORDER",     "LIMIT",  "HAVING", "WINDOW",
    "UNION", "EXCEPT", "INTERSECT", "SELECT", "VALUES"};
constexpr std::array<std::string_view, 3> kKeywordsBetweenQueries = {"UNION", "EXCEPT",
                                                                     "INTERSECT"};

// An entry of a FROM clause, under its name there.
struct Source {
  std::string called;
  const KnownNames::Columns* table;  // nullptr: columns are not known
  bool is_renamed;
};

// The SELECTs of a statement with what they read.
class Statement {
 public:
  Statement(std::string_view sql, const KnownNames& known)
      : known_(known), tokens_(tokens_of(sql)) {
    read();
  }

  const std::vector<Token>& tokens() const { return tokens_; }
  const std::vector<std::string>& result_names() const { return result_names_; }
  const std::vector<std::string>& made_tables() const { return made_tables_; }

  // The token at a place of the text; nullptr if there is none.
  const Token* token_at(std::optional<std::size_t> place) const {
    const auto found = std::ranges::find_if(
        tokens_, [&](const Token& token) { return place && token.begin == *place; });
    return found == tokens_.end() ? nullptr : &*found;
  }

  // Sources that the SELECT at the place reads, then those of the SELECTs around it. Of an unknown place: all.
  std::vector<Source> visible(std::optional<std::size_t> place) const {
    std::vector<Source> sources;
    if (!place) {
      for (const Scope& scope : scopes_) {
        sources.insert(sources.end(), scope.sources.begin(), scope.sources.end());
      }
      return sources;
    }
    std::size_t scope = 0;
    for (std::size_t i = 0; i < scope_of_.size() && tokens_[i].begin <= *place; ++i) {
      scope = scope_of_[i];
    }
    for (; scope != kNone; scope = scopes_[scope].outer) {
      sources.insert(sources.end(), scopes_[scope].sources.begin(), scopes_[scope].sources.end());
    }
    return sources;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  struct Scope {
    std::size_t outer;
    std::size_t depth;  // parentheses around it
    std::vector<Source> sources = {};
    bool is_in_from = false;
  };

  bool is_word(std::size_t i, std::string_view word) const {
    return i < tokens_.size() && tokens_[i].kind == Token::Kind::kWord &&
           are_equal(tokens_[i].text, word);
  }
  bool is_sign(std::size_t i, std::string_view sign) const {
    return i < tokens_.size() && tokens_[i].kind == Token::Kind::kSign && tokens_[i].text == sign;
  }
  bool is_name(std::size_t i) const {
    return i < tokens_.size() && (tokens_[i].kind == Token::Kind::kQuoted ||
                                  (tokens_[i].kind == Token::Kind::kWord &&
                                   !has(kKeywordsBehindTables, tokens_[i].text)));
  }

  void read() {
    std::vector<std::size_t> open;  // by parenthesis: the scope around it
    std::size_t scope = add_scope(kNone, 0);
    bool expects_table = false;
    for (std::size_t i = 0; i < tokens_.size() && !is_sign(i, ";"); ++i) {
      const bool is_own = scopes_[scope].depth == open.size();  // in no parentheses of its own
      if (is_sign(i, "(")) {
        open.push_back(scope);
        if (is_word(i + 1, "SELECT") || is_word(i + 1, "WITH")) {
          scope = add_scope(scope, open.size());
          expects_table = false;
        }
      } else if (is_sign(i, ")") && !open.empty()) {
        const bool was_query = open.back() != scope;
        scope = open.back();
        open.pop_back();
        if (was_query && scopes_[scope].is_in_from) add_unnamed(i, scope);
        expects_table = false;
      } else if (is_word(i, "FROM") || is_word(i, "JOIN")) {
        scopes_[scope].is_in_from = expects_table = true;
      } else if (is_sign(i, ",")) {
        expects_table = scopes_[scope].is_in_from && is_own;
      } else if (tokens_[i].kind == Token::Kind::kWord &&
                 has(kKeywordsBehindFrom, tokens_[i].text)) {
        if (has(kKeywordsBetweenQueries, tokens_[i].text)) {
          scope = add_scope(scopes_[scope].outer, open.size());
        }
        scopes_[scope].is_in_from = expects_table = false;
      } else if (is_word(i, "AS")) {
        if (is_sign(i + 1, "(") && i > 0) made_tables_.push_back(name_before(i));
        if (is_own && !scopes_[scope].is_in_from && is_name(i + 1)) {
          result_names_.push_back(tokens_[i + 1].text);
        }
      } else if (expects_table && is_name(i) && !is_sign(i + 1, ".")) {  // else a schema
        add_source(i, scope);
        expects_table = false;
      }
      scope_of_.push_back(scope);
    }
  }

  std::size_t add_scope(std::size_t outer, std::size_t depth) {
    scopes_.push_back({outer, depth});
    return scopes_.size() - 1;
  }

  // Returns the name in WITH name AS (, or WITH name(column, ...) AS (.
  std::string name_before(std::size_t as) const {
    std::size_t i = as - 1;
    if (is_sign(i, ")")) {
      while (i > 0 && !is_sign(i, "(")) --i;
      if (i > 0) --i;
    }
    return tokens_[i].text;
  }

  // The name that a table gets: of tokens from i on; "" if there is none.
  std::string renaming(std::size_t i) const {
    if (is_word(i, "AS")) ++i;
    return is_name(i) ? tokens_[i].text : "";
  }

  void add_source(std::size_t i, std::size_t scope) {
    const std::string& name = tokens_[i].text;
    const bool is_made = has(made_tables_, name);
    const auto table = std::ranges::find_if(
        known_.tables, [&](const auto& each) { return are_equal(each.table, name); });
    const std::string called = renaming(i + 1);
    scopes_[scope].sources.push_back({called.empty() ? name : called,
                                      is_made || table == known_.tables.end() ? nullptr : &*table,
                                      !called.empty()});
  }

  void add_unnamed(std::size_t end, std::size_t scope) {
    scopes_[scope].sources.push_back({renaming(end + 1), nullptr, true});
  }

  const KnownNames& known_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> scope_of_;  // by token
  std::vector<Scope> scopes_;
  std::vector<std::string> result_names_;  // behind AS
  std::vector<std::string> made_tables_;   // by WITH
};

std::string listed(const std::vector<std::string>& names, const char* last = " and ") {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? last : ", ") + names[i];
  }
  return text;
}

// The nearest of other names than the typed one; "" if none is near.
std::string nearest_other(const std::string& typed, std::vector<std::string> names) {
  if (typed.size() < 2) return "";  // every other letter is near
  std::erase_if(names, [&](const std::string& name) { return are_equal(name, typed); });
  std::string small = typed;
  std::ranges::transform(small, small.begin(), lower);
  return nearest(small, names);
}

std::string did_you_mean(const std::string& name) { return "; did you mean " + name + "?"; }

std::string as_text(std::string_view typed) {
  std::string quoted;
  for (const char c : typed) quoted += c == '\'' ? "''" : std::string(1, c);
  return "; a text is in single quotes: '" + quoted + "'";
}

class Hint {
 public:
  Hint(std::string_view statement, std::optional<std::size_t> place, const KnownNames& known)
      : known_(known),
        statement_(statement, known),
        place_(place),
        sources_(statement_.visible(place)) {}

  std::string of_column(const std::string& typed) const {
    const Token* token = statement_.token_at(place_);
    const std::size_t dot = typed.rfind('.');
    const bool is_quoted = token != nullptr && token->kind == Token::Kind::kQuoted;
    if (is_quoted && are_equal(token->text, typed)) return of_plain_column(typed, true);
    if (dot == typed.npos) return of_plain_column(typed, is_quoted);
    const std::string qualifier = typed.substr(0, dot);
    return of_qualified_column(qualifier.substr(qualifier.rfind('.') + 1), typed.substr(dot + 1),
                               typed);
  }

  std::string of_ambiguous_column(const std::string& typed) const {
    std::vector<std::string> choices;
    for (const Source& source : sources_) {
      const std::string qualified = source.called + '.' + typed;
      if (has_column(source, typed) && !has(choices, qualified)) choices.push_back(qualified);
    }
    return choices.size() < 2 ? "" : "; write " + listed(choices, " or ");
  }

  std::string of_table(const std::string& typed) const {
    const std::string name = typed.substr(typed.rfind('.') + 1);  // npos + 1 is 0
    std::vector<std::string> tables;
    for (const KnownNames::Columns& table : known_.tables) tables.push_back(table.table);
    if (has(tables, name) && name != typed) return "; write " + name;
    std::vector<std::string> all = tables;
    all.insert(all.end(), statement_.made_tables().begin(), statement_.made_tables().end());
    if (const std::string guess = nearest_other(name, all); !guess.empty()) {
      return did_you_mean(guess);
    }
    if (const std::vector<std::string> owners = owners_of(name); !owners.empty()) {
      return "; it is a column of " + listed(owners);
    }
    if (is_function(name)) return "; it is a function, which stands in place of a column";
    return "; there are " + listed(tables, ", ");
  }

  std::string of_function(const std::string& typed) const {
    std::vector<std::string> names;
    std::string own;
    for (const KnownNames::Function& function : known_.functions) {
      names.push_back(function.name);
      if (!function.usage.empty()) own += (own.empty() ? "" : ", ") + function.usage;
    }
    if (!owners_of(typed).empty()) return "; it is a column, without parentheses";
    if (const std::string guess = nearest_other(typed, names); !guess.empty()) {
      return did_you_mean(guess + "()");
    }
    return "; there are those of SQLite, and " + own;
  }

  std::string of_arguments(const std::string& name) const {
    for (const KnownNames::Function& function : known_.functions) {
      if (are_equal(function.name, name) && !function.usage.empty()) {
        return "; write " + function.usage;
      }
    }
    return "";
  }

  // Returns the hint for USING (column).
  std::string of_joined_column(const std::string& typed) const {
    const std::vector<std::string> owners = owners_of(typed);
    return owners.empty() ? "" : "; it is a column of " + listed(owners) + "; join with ON instead";
  }

 private:
  static bool has_column(const Source& source, const std::string& name) {
    return source.table != nullptr && has(source.table->columns, name);
  }

  // Tables and views that have such a column.
  std::vector<std::string> owners_of(const std::string& column) const {
    std::vector<std::string> owners;
    for (const KnownNames::Columns& table : known_.tables) {
      if (has(table.columns, column)) owners.push_back(table.table);
    }
    return owners;
  }

  bool is_function(const std::string& name) const {
    return std::ranges::any_of(known_.functions,
                               [&](const auto& each) { return are_equal(each.name, name); });
  }

  bool reads_unknown() const {
    return std::ranges::any_of(sources_, [](const Source& each) { return each.table == nullptr; });
  }

  // Behind a sign or word that compares with a value.
  bool is_compared() const {
    const std::vector<Token>& tokens = statement_.tokens();
    const Token* token = statement_.token_at(place_);
    if (token == nullptr || token == tokens.data()) return false;
    const Token& before = token[-1];
    constexpr std::array<std::string_view, 8> kComparing = {"=",    "<",  ">",     "LIKE",
                                                            "GLOB", "IS", "MATCH", "REGEXP"};
    if (has(kComparing, before.text)) return true;
    return before.text == "(" && token - tokens.data() > 1 && are_equal(token[-2].text, "IN");
  }

  // As the statement can say it: qualified where two of its tables have it.
  std::string as_written(const std::string& column) const {
    const Source* owner = nullptr;
    for (const Source& source : sources_) {
      if (!has_column(source, column)) continue;
      if (owner != nullptr) return owner->called + '.' + column;
      owner = &source;
    }
    return column;
  }

  std::string of_plain_column(const std::string& typed, bool is_quoted) const {
    std::vector<std::string> readable = statement_.result_names();
    for (const Source& source : sources_) {
      if (source.table == nullptr) continue;
      readable.insert(readable.end(), source.table->columns.begin(), source.table->columns.end());
    }
    const std::vector<std::string> owners = owners_of(typed);
    if (!owners.empty()) return other_owners(owners);
    if (const std::string absent = of_absent_measure(typed); !absent.empty()) return absent;
    if (const std::string guess = nearest_other(typed, readable); !guess.empty()) {
      return did_you_mean(as_written(guess));
    }
    if (is_quoted || is_compared()) return as_text(typed);
    return of_no_column(typed);
  }

  // A column of a measure that was not recorded; "" for any other.
  std::string of_absent_measure(std::string_view typed) const {
    constexpr std::string_view kInclusive = "inclusive_";
    if (typed.starts_with(kInclusive)) typed.remove_prefix(kInclusive.size());
    if (!report::is_known_measure(typed)) return "";
    std::vector<std::string> columns;
    for (const KnownNames::Columns& table : known_.tables) {
      if (table.table != "contexts") continue;
      std::ranges::copy_if(table.columns, std::back_inserter(columns), report::is_known_measure);
    }
    const std::vector<std::string> words = report::measure_words(columns);
    // "cpu" is near to its column.
    if (has(words, std::string(typed))) return "";
    return "; " + report::absent_measure(typed, columns, "the report");
  }

  // The column is that of tables which are not read there.
  std::string other_owners(const std::vector<std::string>& owners) const {
    std::vector<std::string> read;
    for (const Source& source : sources_) {
      if (source.table != nullptr && !has(read, source.table->table)) {
        read.push_back(source.table->table);
      }
    }
    const auto is_read = [&](const std::string& owner) { return has(read, owner); };
    if (reads_unknown() || std::ranges::any_of(owners, is_read)) {
      return "; it is a column of " + listed(owners) + ", which a subquery has to pass on";
    }
    const std::string have = listed(owners) + (owners.size() == 1 ? " has it" : " have it");
    return read.empty() ? "; " + have : "; not in " + listed(read) + ": " + have;
  }

  std::string of_no_column(const std::string& typed) const {
    for (const KnownNames::Columns& table : known_.tables) {
      if (are_equal(table.table, typed)) {
        return "; it is a table, with " + listed(table.columns, ", ");
      }
    }
    for (const KnownNames::Function& function : known_.functions) {
      if (!are_equal(function.name, typed)) continue;
      return "; it is a function: " +
             (function.usage.empty() ? function.name + "(...)" : function.usage);
    }
    std::vector<std::string> all;
    for (const KnownNames::Columns& table : known_.tables) {
      all.insert(all.end(), table.columns.begin(), table.columns.end());
    }
    if (const std::string guess = nearest_other(typed, all); !guess.empty()) {
      return "; did you mean " + guess + ", a column of " + listed(owners_of(guess)) + "?";
    }
    return columns_of_only_source();
  }

  std::string columns_of_only_source() const {
    if (sources_.size() != 1 || sources_.front().table == nullptr) return "";
    return columns_of(*sources_.front().table);
  }
  static std::string columns_of(const KnownNames::Columns& table) {
    return "; " + table.table + " has " + listed(table.columns, ", ");
  }

  std::string of_qualified_column(const std::string& qualifier, const std::string& column,
                                  const std::string& typed) const {
    const auto source = std::ranges::find_if(
        sources_, [&](const Source& each) { return are_equal(each.called, qualifier); });
    const std::string elsewhere = in_another_source(qualifier, column);
    if (source == sources_.end()) return of_unknown_qualifier(qualifier, column, typed, elsewhere);
    if (!elsewhere.empty()) return did_you_mean(elsewhere);
    const std::vector<std::string> owners = owners_of(column);
    if (source->table != nullptr && !owners.empty()) return other_owners(owners);
    if (const std::string absent = of_absent_measure(column); !absent.empty()) return absent;
    const std::vector<std::string>& names =
        source->table == nullptr ? statement_.result_names() : source->table->columns;
    if (const std::string guess = nearest_other(column, names); !guess.empty()) {
      return did_you_mean(source->called + '.' + guess);
    }
    return source->table == nullptr ? "" : columns_of(*source->table);
  }

  // "m.class", of a source that is not the one that was named; "" if none has it.
  std::string in_another_source(const std::string& qualifier, const std::string& column) const {
    for (const Source& source : sources_) {
      if (!are_equal(source.called, qualifier) && !source.called.empty() &&
          has_column(source, column)) {
        return source.called + '.' + column;
      }
    }
    return "";
  }

  std::string of_unknown_qualifier(const std::string& qualifier, const std::string& column,
                                   const std::string& typed, const std::string& elsewhere) const {
    std::vector<std::string> called;
    for (const Source& source : sources_) {
      if (!source.called.empty() && !has(called, source.called)) called.push_back(source.called);
    }
    for (const Source& source : sources_) {
      const bool is_meant =
          source.is_renamed && source.table != nullptr && are_equal(source.table->table, qualifier);
      if (is_meant) return "; " + source.table->table + " is called " + source.called + " there";
    }
    if (!elsewhere.empty() && !is_table(qualifier)) {
      // Takes the source with the nearest name.
      const std::string near = nearest_other(qualifier, called);
      for (const Source& source : sources_) {
        if (are_equal(source.called, near) && has_column(source, column)) {
          return did_you_mean(source.called + '.' + column);
        }
      }
      return did_you_mean(elsewhere);
    }
    if (is_table(qualifier)) {
      return "; the query does not read " + qualifier + " there: name it behind FROM or JOIN";
    }
    if (is_compared()) return as_text(typed);
    if (called.empty()) return "";
    return "; there " + std::string(called.size() == 1 ? "is " : "are ") + listed(called) +
           " behind FROM";
  }

  bool is_table(const std::string& name) const {
    return std::ranges::any_of(known_.tables,
                               [&](const auto& each) { return are_equal(each.table, name); });
  }

  const KnownNames& known_;
  const Statement statement_;
  const std::optional<std::size_t> place_;
  const std::vector<Source> sources_;
};

// Returns the text after `beginning`; std::nullopt if the message begins otherwise.
std::optional<std::string> behind(std::string_view message, std::string_view beginning) {
  if (!message.starts_with(beginning)) return std::nullopt;
  message.remove_prefix(beginning.size());
  // Later versions of SQLite ask whether a name in double quotes should be a text.
  message = message.substr(0, message.find(" - "));
  if (message.size() > 1 && message.front() == '"' && message.back() == '"') {
    message = message.substr(1, message.size() - 2);
  }
  return std::string(message);
}

}  // namespace

std::string name_hint(std::string_view message, std::string_view statement,
                      std::optional<std::size_t> place, const KnownNames& known) {
  const Hint hint(statement, place, known);
  if (const auto name = behind(message, "no such column: ")) return hint.of_column(*name);
  if (const auto name = behind(message, "ambiguous column name: ")) {
    return hint.of_ambiguous_column(*name);
  }
  if (const auto name = behind(message, "no such table: ")) return hint.of_table(*name);
  if (const auto name = behind(message, "no such function: ")) return hint.of_function(*name);
  if (const auto name = behind(message, "wrong number of arguments to function ")) {
    return hint.of_arguments(name->substr(0, name->find('(')));
  }
  if (const auto name = behind(message, "cannot join using column ")) {
    return hint.of_joined_column(*name);
  }
  return "";
}

}  // namespace copse::sql
