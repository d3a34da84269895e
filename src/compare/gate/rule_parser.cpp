#include "compare/gate/rule_parser.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "base/nearest.h"
#include "base/printable.h"

namespace copse::gate {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kExample = "calls(com.acme.Dao.**) > +0";
// Keeps products of a bound and a count within 128 bits (span.cpp).
constexpr std::int64_t kMostDigits = std::int64_t{1} << 60;
constexpr std::int64_t kMostScale = 1'000'000;

struct ComparatorSpelling {
  std::string_view text;
  Comparator comparator;
};
// Longer ones first.
constexpr std::array kComparators = {ComparatorSpelling{">=", Comparator::kAtLeast},
                                     ComparatorSpelling{"<=", Comparator::kAtMost},
                                     ComparatorSpelling{"==", Comparator::kEqual},
                                     ComparatorSpelling{"!=", Comparator::kDifferent},
                                     ComparatorSpelling{">", Comparator::kMore},
                                     ComparatorSpelling{"<", Comparator::kFewer}};

bool is_word_letter(char letter) {
  const auto c = static_cast<unsigned char>(letter);
  return std::isalnum(c) != 0 || letter == '_';
}
bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

// Thrown only inside this file.
struct RuleTrouble {
  std::size_t at;  // index of a byte
  std::string why;
};

class RuleParser {
 public:
  explicit RuleParser(std::string_view text) : text_(text) {}

  Rule parsed() {
    skip_blanks();
    if (at_end()) fail("a rule is empty; write one such as " + std::string(kExample));
    const std::size_t begin = at_;
    Rule rule;
    rule.term = term();
    skip_blanks();
    if (!at_end() && text_[at_] == '/') {
      if (rule.term.what != Term::What::kMeasure) fail("only calls and measures can be divided");
      ++at_;
      skip_blanks();
      const std::size_t divisor_at = at_;
      rule.divisor = term();
      if (rule.divisor->what != Term::What::kMeasure) {
        fail_at(divisor_at, "only calls and measures can be divided by");
      }
      if (rule.term.per_slice || rule.divisor->per_slice) {
        fail_at(divisor_at, "calls per slice cannot be divided");
      }
      skip_blanks();
    }
    // A term that counts changes needs no bound: more than 0 breaks the rule.
    const bool counts_changes = rule.term.what != Term::What::kMeasure;
    if (!counts_changes || !at_end()) {
      rule.comparator = comparator();
      skip_blanks();
      const std::size_t bound_at = at_;
      rule.bound = bound();
      if (counts_changes && rule.bound.kind != Bound::Kind::kPlain) {
        fail_at(bound_at, words_of(rule.term) +
                              " are a change by themselves; write a number "
                              "without a sign");
      }
      skip_blanks();
      if (!at_end()) fail("the rule should end here");
    }
    const std::size_t end = text_.find_last_not_of(kBlanks) + 1;
    rule.text = std::string(text_.substr(begin, end - begin));
    return rule;
  }

 private:
  [[noreturn]] static void fail_at(std::size_t at, std::string why) {
    throw RuleTrouble{at, std::move(why)};
  }
  [[noreturn]] void fail(std::string why) const { fail_at(at_, std::move(why)); }

  bool at_end() const { return at_ == text_.size(); }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }
  std::string_view word() {
    const std::size_t begin = at_;
    while (!at_end() && is_word_letter(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  Term term() {
    const std::size_t begin = at_;
    const std::string first(word());
    if (first.empty()) fail("calls, a measure, new, gone or more should stand here");
    Term term;
    if (first == "more") {
      skip_blanks();
      if (word() != "contexts") fail("contexts should stand behind more");
      term.what = Term::What::kMoreContexts;
    } else if (first == "new" || first == "gone") {
      skip_blanks();
      const std::size_t second_at = at_;
      const std::string second(word());
      if (second != "contexts" && second != "methods") {
        fail_at(second_at, "contexts or methods should stand behind " + first +
                               did_you_mean(second, {"contexts", "methods"}));
      }
      const bool is_new = first == "new";
      term.what = second == "contexts"
                      ? (is_new ? Term::What::kNewContexts : Term::What::kGoneContexts)
                      : (is_new ? Term::What::kNewMethods : Term::What::kGoneMethods);
    } else if (is_digit(first[0])) {
      fail_at(begin,
              "calls, a measure, new, gone or more should stand here, and the number behind");
    } else {
      term.measure = first;
    }
    skip_blanks();
    if (at_end() || text_[at_] != '(') {
      fail("( and a glob of methods should stand behind " + words_of(term));
    }
    term.of = pattern_in_brackets();
    skip_blanks();
    const std::size_t before = at_;
    const std::string_view next = word();
    if (next == "under") {
      term.under = pattern_behind_under();
    } else if (next == "per") {
      if (term.measure != "calls") fail_at(before, "of slices only calls are known");
      term.per_slice = pattern_behind_per();
    } else {
      at_ = before;
    }
    return term;
  }

  Pattern pattern_behind_per() {
    skip_blanks();
    const std::size_t begin = at_;
    if (word() != "slice") fail_at(begin, "slice should stand behind per");
    skip_blanks();
    if (at_end() || text_[at_] != '(') fail("( and a glob of methods should stand behind slice");
    return pattern_in_brackets();
  }

  // At '('.
  Pattern pattern_in_brackets() {
    const std::size_t open = at_++;
    const std::size_t close = text_.find(')', at_);
    if (close == std::string_view::npos) fail_at(open, "no ) closes this bracket");
    skip_blanks();
    const std::size_t begin = at_;
    std::string_view glob = text_.substr(at_, close - at_);
    glob = glob.substr(0, glob.find_last_not_of(kBlanks) + 1);
    if (begin >= close || glob.empty()) fail_at(close, "a glob of methods should stand here");
    at_ = close + 1;
    return pattern_of(glob, begin);
  }

  Pattern pattern_behind_under() {
    skip_blanks();
    if (!at_end() && text_[at_] == '(') return pattern_in_brackets();
    const std::size_t begin = at_;
    while (!at_end() && !ends_glob()) ++at_;
    if (at_ == begin) fail("a glob of methods should stand behind under");
    return pattern_of(text_.substr(begin, at_ - begin), begin);
  }
  // The angle brackets of constructors belong to names.
  bool ends_glob() {
    for (const std::string_view name : {"<init>", "<clinit>"}) {
      if (!text_.substr(at_).starts_with(name)) continue;
      at_ += name.size() - 1;
      return false;
    }
    return (std::string(kBlanks) + "/<>=!()").find(text_[at_]) != std::string::npos;
  }

  static Pattern pattern_of(std::string_view glob, std::size_t begin) {
    Pattern pattern;
    pattern.may_be_absent = glob.ends_with('?');
    if (pattern.may_be_absent) glob.remove_suffix(1);
    glob = glob.substr(0, glob.find_last_not_of(kBlanks) + 1);
    if (glob.empty()) fail_at(begin, "a glob should stand before the ?");
    if (const std::size_t odd = glob.find_first_of("(?"); odd != std::string_view::npos) {
      fail_at(begin + odd, glob[odd] == '?'
                               ? "a ? can stand behind a glob alone, for one that may match nothing"
                               : "globs are of names alone, without parameters");
    }
    pattern.glob = std::string(glob);
    return pattern;
  }

  Comparator comparator() {
    for (const auto& [text, meaning] : kComparators) {
      if (!text_.substr(at_).starts_with(text)) continue;
      at_ += text.size();
      return meaning;
    }
    if (at_end()) fail("a comparison should stand here, such as > 0 or > +5%");
    fail(text_[at_] == '=' ? "equal is written ==" : "one of > >= < <= == != should stand here");
  }

  Bound bound() {
    const std::size_t begin = at_;
    Bound bound;
    if (!at_end() && (text_[at_] == '+' || text_[at_] == '-')) {
      bound.kind = Bound::Kind::kChange;
      ++at_;
      skip_blanks();
    }
    const bool is_negative = bound.kind == Bound::Kind::kChange && text_[begin] == '-';
    number(bound);
    if (is_negative) bound.digits = -bound.digits;
    skip_blanks();
    if (!at_end() && text_[at_] == '%') {
      if (bound.kind == Bound::Kind::kPlain) {
        fail_at(begin, "a share is one of OLD's value; write +5% for five per cent more than OLD");
      }
      bound.kind = Bound::Kind::kPercent;
      if (bound.digits < -100 * bound.scale) fail_at(begin, "less than -100% cannot be");
      ++at_;
    }
    return bound;
  }

  // "1,000", "1_000", "2.5".
  void number(Bound& bound) {
    if (at_end() || !is_digit(text_[at_])) fail("a number should stand here");
    const std::size_t begin = at_;
    bool has_point = false;
    for (; !at_end(); ++at_) {
      const char letter = text_[at_];
      const bool more = at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
      if ((letter == ',' || letter == '_') && more && !has_point) continue;
      if (letter == '.' && more && !has_point) {
        has_point = true;
        continue;
      }
      if (!is_digit(letter)) break;
      bound.digits = bound.digits * 10 + (letter - '0');
      if (has_point) bound.scale *= 10;
      if (bound.digits > kMostDigits / 10 || bound.scale > kMostScale) {
        fail_at(begin, "the number has more digits than can be compared");
      }
    }
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

std::size_t column_of(std::string_view text, std::size_t at) {
  return 1 + static_cast<std::size_t>(std::count_if(
                 text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), begins_character));
}

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
  }
  return line;
}

}  // namespace

std::string_view symbol_of(Comparator comparator) {
  return std::find_if(kComparators.begin(), kComparators.end(),
                      [&](const auto& spelling) { return spelling.comparator == comparator; })
      ->text;
}

std::string words_of(const Term& term) {
  switch (term.what) {
    case Term::What::kNewContexts:
      return "new contexts";
    case Term::What::kGoneContexts:
      return "gone contexts";
    case Term::What::kMoreContexts:
      return "more contexts";
    case Term::What::kNewMethods:
      return "new methods";
    case Term::What::kGoneMethods:
      return "gone methods";
    case Term::What::kMeasure:
      break;
  }
  return term.measure;
}

std::variant<Rule, RuleError> parse_rule(std::string_view text) {
  try {
    return RuleParser(text).parsed();
  } catch (const RuleTrouble& trouble) {
    return RuleError{column_of(text, trouble.at), printable(trouble.why)};
  }
}

std::string in_words(const RuleError& error, std::string_view rule) {
  // Characters of the line, each printable, so that the caret stands below the one it means.
  constexpr std::size_t kBefore = 60, kAfter = 36;
  std::vector<std::string> characters;
  for (std::size_t at = 0; at < rule.size();) {
    std::size_t end = at + 1;
    while (end < rule.size() && !begins_character(rule[end])) ++end;
    const std::string_view character = rule.substr(at, end - at);
    characters.push_back(
        kBlanks.find(character[0]) != std::string_view::npos ? " " : printable(character));
    at = end;
  }
  const std::size_t caret = error.column - 1;
  const std::size_t first = caret > kBefore ? caret - kBefore : 0;
  const std::size_t last = std::min(characters.size(), caret + kAfter);
  std::string line = first > 0 ? "  ..." : "  ", below(line.size(), ' ');
  for (std::size_t i = first; i < last; ++i) {
    line += characters[i];
    if (i >= caret) continue;
    below.append(static_cast<std::size_t>(
                     std::count_if(characters[i].begin(), characters[i].end(), begins_character)),
                 ' ');
  }
  if (last < characters.size()) line += "...";
  return "column " + std::to_string(error.column) + ": " + error.why + "\n" + line + "\n" + below +
         "^";
}

Result<std::vector<Rule>> read_rules(std::string_view text, const std::string& name) {
  std::vector<Rule> rules;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = without_comment(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    std::variant<Rule, RuleError> rule = parse_rule(line);
    if (const auto* error = std::get_if<RuleError>(&rule)) {
      return Status::error(Fault::kUsage, printable(name) + ":" + std::to_string(number) + ": " +
                                              in_words(*error, line));
    }
    rules.push_back(std::get<Rule>(std::move(rule)));
  }
  if (rules.empty()) return Status::error(Fault::kUsage, printable(name) + ": has no rule");
  return rules;
}

Result<std::vector<Rule>> read_rules_file(const std::string& path) {
  const auto failed = [&](const std::string& why) {
    return Status::error(Fault::kSystem, printable(path) + ": " + why);
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"),
                                                             &std::fclose);
  if (file == nullptr) return failed(std::strerror(errno));
  std::string text(kMostBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) return failed(std::strerror(errno));
  if (text.size() > kMostBytes) return failed("is larger than a file of rules can be, 1 MiB");
  return read_rules(text, path);
}

}  // namespace copse::gate
