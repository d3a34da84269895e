#include "compare/gate/rule_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/gate_reports.h"

namespace copse::gate {
namespace {

using testing::rule_of;
using What = Term::What;

std::string rule_trouble(std::string_view text) {
  const auto parsed = parse_rule(text);
  const auto* error = std::get_if<RuleError>(&parsed);
  return error == nullptr ? "" : "column " + std::to_string(error->column) + ": " + error->why;
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
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "column 1: a rule is empty; write one such as calls(com.acme.Dao.**) > +0"},
      {"   ", "column 4: a rule is empty; write one such as calls(com.acme.Dao.**) > +0"},
      {"> 3", "column 1: calls, a measure, new or gone should stand here"},
      {"3 < calls(A)",
       "column 1: calls, a measure, new or gone should stand here, and the number behind"},
      {"calls > 3", "column 7: ( and a glob of methods should stand behind calls"},
      {"calls", "column 6: ( and a glob of methods should stand behind calls"},
      {"calls(A > 3", "column 6: no ) closes this bracket"},
      {"calls() > 3", "column 7: a glob of methods should stand here"},
      {"calls(  ) > 3", "column 9: a glob of methods should stand here"},
      {"calls(?) > 3", "column 7: a glob should stand before the ?"},
      {"calls(A?.b) > 3",
       "column 8: a ? can stand behind a glob alone, for one that may match nothing"},
      {"calls(A.b(I)) > 3", "column 10: globs are of names alone, without parameters"},
      {"calls(A)", "column 9: a comparison should stand here, such as > 0 or > +5%"},
      {"calls(A) 3", "column 10: one of > >= < <= == != should stand here"},
      {"calls(A) = 3", "column 10: equal is written =="},
      {"calls(A) => 3", "column 10: equal is written =="},
      {"calls(A) >", "column 11: a number should stand here"},
      {"calls(A) > x", "column 12: a number should stand here"},
      {"calls(A) > +", "column 13: a number should stand here"},
      {"calls(A) > 5%",
       "column 12: a share is one of OLD's value; write +5% for five per cent more than OLD"},
      {"calls(A) > -101%", "column 12: less than -100% cannot be"},
      {"calls(A) > 3 4", "column 14: the rule should end here"},
      {"calls(A) > 1.2.3", "column 15: the rule should end here"},
      {"calls(A) > 1,", "column 13: the rule should end here"},
      {"calls(A) > 9999999999999999999",
       "column 12: the number has more digits than can be compared"},
      {"calls(A) > 1.0000001", "column 12: the number has more digits than can be compared"},
      {"calls(A) under > 3", "column 16: a glob of methods should stand behind under"},
      {"calls(A) under", "column 15: a glob of methods should stand behind under"},
      {"calls(A) beneath B > 3", "column 10: one of > >= < <= == != should stand here"},
      {"new contets(A)",
       "column 5: contexts or methods should stand behind new; did you mean contexts?"},
      {"gone (A)", "column 6: contexts or methods should stand behind gone"},
      {"new contexts(A) > +3",
       "column 19: new contexts are a change by themselves; write a number without a sign"},
      {"new contexts(A) / calls(B) > 3", "column 17: only calls and measures can be divided"},
      {"calls(A) / new methods(B) > 3", "column 12: only calls and measures can be divided by"},
      {"calls(A) / > 3", "column 12: calls, a measure, new or gone should stand here"},
      {"calls(\xC3\x84) = 3", "column 10: equal is written =="},
  };
  for (const auto& [rule, why] : wrong) EXPECT_EQ(rule_trouble(rule), why) << rule;
}

TEST(RuleParser, PutsACaretBelowTheColumn) {
  const std::string rule = "calls(\xC3\x84) = 3";
  EXPECT_EQ(in_words(std::get<RuleError>(parse_rule(rule)), rule),
            "column 10: equal is written ==\n"
            "  calls(\xC3\x84) = 3\n"
            "           ^");
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
