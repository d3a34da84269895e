// Any text as a rule: what is taken reads the same when it is read again from its own words, what is not
// has a column inside the text.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

#include "compare/gate/rule_parser.h"
#include "support/fuzz_require.h"

using namespace copse;
using namespace copse::gate;

namespace {

std::string spelled(const Pattern& pattern) {
  return pattern.glob + (pattern.may_be_absent ? "?" : "");
}

std::string spelled(const Term& term) {
  return words_of(term) + "(" + spelled(term.of) + ")" +
         (term.under ? " under (" + spelled(*term.under) + ")" : "");
}

// One way to write the rule.
std::string spelled(const Rule& rule) {
  std::string text = spelled(rule.term);
  if (rule.divisor) text += " / " + spelled(*rule.divisor);
  std::string digits =
      std::to_string(rule.bound.digits < 0 ? -rule.bound.digits : rule.bound.digits);
  std::size_t decimals = 0;
  for (std::int64_t scale = rule.bound.scale; scale > 1; scale /= 10) ++decimals;
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  if (decimals != 0) digits.insert(digits.size() - decimals, ".");
  text += " " + std::string(symbol_of(rule.comparator)) + " ";
  if (rule.bound.kind != Bound::Kind::kPlain) text += rule.bound.digits < 0 ? "-" : "+";
  return text + digits + (rule.bound.kind == Bound::Kind::kPercent ? "%" : "");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::variant<Rule, RuleError> parsed = parse_rule(text);
  if (const auto* error = std::get_if<RuleError>(&parsed)) {
    require(error->column >= 1 && error->column <= size + 1, "a column inside the rule");
    require(!in_words(*error, text).empty(), "words");
  } else {
    const std::string again = spelled(std::get<Rule>(parsed));
    const std::variant<Rule, RuleError> second = parse_rule(again);
    const bool is_rule = std::holds_alternative<Rule>(second);
    require(is_rule && spelled(std::get<Rule>(second)) == again, "the same rule again");
  }
  (void)read_rules(text, "rules").ok();
  return 0;
}
