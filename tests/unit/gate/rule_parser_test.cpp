#include "compare/gate/rule_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/expect_fault.h"
#include "support/gate_reports.h"

namespace copse::gate {
namespace {

using testing::rule_of;
using What = Term::What;

// Column of the mistake; 0 without one.
std::size_t wrong_column(std::string_view text) {
  const auto parsed = parse_rule(text);
  const auto* error = std::get_if<RuleError>(&parsed);
  return error == nullptr ? 0 : error->column;
}

TEST(RuleParser, TakesCallsOfAGlobAndABound) {
  const Rule rule = rule_of("  calls(com.acme.Dao.**) > 0 ");
  EXPECT_EQ(rule.text, "calls(com.acme.Dao.**) > 0");
  EXPECT_EQ(rule.term.what, What::kMeasure);
  EXPECT_EQ(rule.term.measure, "calls");
  EXPECT_EQ(rule.term.of.glob, "com.acme.Dao.**");
  EXPECT_FALSE(rule.term.of.may_be_absent);
  EXPECT_FALSE(rule.term.under.has_value());
  EXPECT_FALSE(rule.divisor.has_value());
  EXPECT_EQ(rule.comparator, Comparator::kMore);
  EXPECT_EQ(rule.bound.kind, Bound::Kind::kPlain);
  EXPECT_EQ(rule.bound.digits, 0);
}

TEST(RuleParser, TakesCallsPerSlice) {
  const Rule rule = rule_of("calls(Db.query) per slice (Handler.handle) > 10");
  EXPECT_EQ(rule.term.of.glob, "Db.query");
  ASSERT_TRUE(rule.term.per_slice.has_value());
  EXPECT_EQ(rule.term.per_slice->glob, "Handler.handle");
  EXPECT_EQ(wrong_column("calls(A.f) per request(B.g) > 1"), 16u);
  EXPECT_EQ(wrong_column("calls(A.f) per slice B.g > 1"), 22u);
  EXPECT_EQ(wrong_column("cpu(A.f) per slice(B.g) > 1"), 10u);
  EXPECT_EQ(wrong_column("calls(A.f) per slice(B.g) / calls(A.g) > 1"), 29u);
}

TEST(RuleParser, TakesUnderWithAndWithoutBrackets) {
  for (const char* text :
       {"calls(Db.query) under Handler.get > +0", "calls(Db.query)under(Handler.get)>+0",
        "calls ( Db.query ) under ( Handler.get ) > +0"}) {
    const Rule rule = rule_of(text);
    ASSERT_TRUE(rule.term.under.has_value()) << text;
    EXPECT_EQ(rule.term.under->glob, "Handler.get");
    EXPECT_EQ(rule.bound.kind, Bound::Kind::kChange);
  }
}

TEST(RuleParser, TakesNamesOfConstructorsAndSyntheticMethods) {
  EXPECT_EQ(rule_of("calls(Foo.<init>) under Bar.<clinit> > 3").term.under->glob, "Bar.<clinit>");
  EXPECT_EQ(rule_of("calls(Foo.<init>) under Bar.<init>>=3").comparator, Comparator::kAtLeast);
  EXPECT_EQ(rule_of("calls(A.lambda$f$*) > 3").term.of.glob, "A.lambda$f$*");
  EXPECT_EQ(rule_of("alloc(new byte[]) > 3").term.of.glob, "new byte[]");
  EXPECT_EQ(rule_of("calls(**) under [pool-*-thread-*] > 3").term.under->glob, "[pool-*-thread-*]");
}

TEST(RuleParser, TakesEveryComparison) {
  const std::vector<std::pair<std::string, Comparator>> all = {
      {">", Comparator::kMore},    {">=", Comparator::kAtLeast}, {"<", Comparator::kFewer},
      {"<=", Comparator::kAtMost}, {"==", Comparator::kEqual},   {"!=", Comparator::kDifferent}};
  for (const auto& [symbol, comparator] : all) {
    EXPECT_EQ(rule_of("calls(A) " + symbol + " 1").comparator, comparator);
    EXPECT_EQ(rule_of("calls(A)" + symbol + "1").comparator, comparator);
    EXPECT_EQ(symbol_of(comparator), symbol);
  }
}

TEST(RuleParser, TakesBoundsAsNumbersChangesAndShares) {
  const auto bound = [](const std::string& text) { return rule_of("cpu(A) > " + text).bound; };
  EXPECT_EQ(bound("1,234").digits, 1234);
  EXPECT_EQ(bound("1_234").digits, 1234);
  EXPECT_EQ(bound("2.50").digits, 250);
  EXPECT_EQ(bound("2.50").scale, 100);
  EXPECT_EQ(bound("-3").digits, -3);
  EXPECT_EQ(bound("-3").kind, Bound::Kind::kChange);
  EXPECT_EQ(bound("+5%").kind, Bound::Kind::kPercent);
  EXPECT_EQ(bound("+ 5 %").kind, Bound::Kind::kPercent) << "blanks";
  EXPECT_EQ(bound("-100%").digits, -100);
}

TEST(RuleParser, TakesQuotients) {
  const Rule rule = rule_of("calls(X) under A / calls(Y) under (B) > 2.5");
  ASSERT_TRUE(rule.divisor.has_value());
  EXPECT_EQ(rule.term.under->glob, "A");
  EXPECT_EQ(rule.divisor->of.glob, "Y");
  EXPECT_EQ(rule.divisor->under->glob, "B");
  EXPECT_EQ(rule_of("alloc(X)/calls(Y)>+10%").divisor->measure, "calls");
}

TEST(RuleParser, TakesWhatIsNewOrGoneWithABoundOrWithout) {
  EXPECT_EQ(rule_of("new contexts(**.log*)").term.what, What::kNewContexts);
  EXPECT_EQ(rule_of("gone contexts(A) under B").term.what, What::kGoneContexts);
  EXPECT_EQ(rule_of("new methods(A)").term.what, What::kNewMethods);
  EXPECT_EQ(rule_of("gone  methods(A) >= 3").term.what, What::kGoneMethods);
  const Rule rule = rule_of("new contexts(A)");
  EXPECT_EQ(rule.comparator, Comparator::kMore);
  EXPECT_EQ(rule.bound.digits, 0);
  EXPECT_EQ(rule_of("new contexts(A) > 10").bound.digits, 10);
}

TEST(RuleParser, TakesAGlobThatMayMatchNothing) {
  const Rule rule = rule_of("calls(Legacy.**?) under Old.run? > 0");
  EXPECT_EQ(rule.term.of.glob, "Legacy.**");
  EXPECT_TRUE(rule.term.of.may_be_absent);
  EXPECT_EQ(rule.term.under->glob, "Old.run");
  EXPECT_TRUE(rule.term.under->may_be_absent);
}

TEST(RuleParser, SaysWhatIsWrongAndAtWhichColumn) {
  const std::vector<std::pair<std::string, std::size_t>> wrong = {
      {"", 1},
      {"   ", 4},
      {"> 3", 1},
      {"3 < calls(A)", 1},
      {"calls > 3", 7},
      {"calls", 6},
      {"calls(A > 3", 6},
      {"calls() > 3", 7},
      {"calls(  ) > 3", 9},
      {"calls(?) > 3", 7},
      {"calls(A?.b) > 3", 8},
      {"calls(A.b(I)) > 3", 10},
      {"calls(A)", 9},
      {"calls(A) 3", 10},
      {"calls(A) = 3", 10},
      {"calls(A) => 3", 10},
      {"calls(A) >", 11},
      {"calls(A) > x", 12},
      {"calls(A) > +", 13},
      {"calls(A) > 5%", 12},
      {"calls(A) > -101%", 12},
      {"calls(A) > 3 4", 14},
      {"calls(A) > 1.2.3", 15},
      {"calls(A) > 1,", 13},
      {"calls(A) > 9999999999999999999", 12},
      {"calls(A) > 1.0000001", 12},
      {"calls(A) under > 3", 16},
      {"calls(A) under", 15},
      {"calls(A) beneath B > 3", 10},
      {"new contets(A)", 5},
      {"gone (A)", 6},
      {"new contexts(A) > +3", 19},
      {"new contexts(A) / calls(B) > 3", 17},
      {"calls(A) / new methods(B) > 3", 12},
      {"calls(A) / > 3", 12},
      {"calls(\xC3\x84) = 3", 10},
  };
  for (const auto& [rule, column] : wrong) EXPECT_EQ(wrong_column(rule), column) << rule;
}

TEST(RuleParser, PutsACaretBelowTheColumn) {
  const std::string rule = "calls(\xC3\x84) = 3";
  EXPECT_NAMES(in_words(std::get<RuleError>(parse_rule(rule)), rule),
               "column 10: ", "\n  calls(\xC3\x84) = 3\n           ^");
}

TEST(RuleParser, ShowsOfALongRuleWhatIsAroundTheColumn) {
  const std::string rule = "calls(" + std::string(200, 'a') + ") = " + std::string(100, '3');
  const std::string words = in_words(std::get<RuleError>(parse_rule(rule)), rule);
  EXPECT_EQ(words, "column 209: equal is written ==\n  ..." + std::string(58, 'a') +
                       ") = " + std::string(34, '3') + "...\n     " + std::string(60, ' ') + "^");
}

TEST(RuleParser, ShowsNoControlCharacters) {
  const std::string rule = "calls(A\x1b[2J) = 3";
  const std::string words = in_words(std::get<RuleError>(parse_rule(rule)), rule);
  EXPECT_EQ(words.find('\x1b'), std::string::npos);
  EXPECT_EQ(words, "column 14: equal is written ==\n  calls(A\\u001b[2J) = 3\n" +
                       std::string(20, ' ') + "^");
}

}  // namespace
}  // namespace copse::gate
