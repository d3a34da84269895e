#include "ptql/language/pattern.h"

#include <gtest/gtest.h>

#include <ctime>
#include <random>
#include <regex>

namespace copse::ptql {
namespace {

bool pattern_matches(const std::string& expression, const std::string& text) {
  const auto compiled = Pattern::compile(expression);
  if (const auto* problem = std::get_if<Pattern::Problem>(&compiled)) {
    ADD_FAILURE() << expression << ": " << problem->what;
    return false;
  }
  return std::get<Pattern>(compiled).matches(text);
}

std::string pattern_problem(const std::string& expression) {
  const auto compiled = Pattern::compile(expression);
  const auto* problem = std::get_if<Pattern::Problem>(&compiled);
  return problem == nullptr ? "right" : std::to_string(problem->offset) + ": " + problem->what;
}

TEST(PtqlPattern, MatchesWholeStrings) {
  EXPECT_TRUE(pattern_matches("read|write", "read"));
  EXPECT_TRUE(pattern_matches("read|write", "write"));
  EXPECT_FALSE(pattern_matches("read|write", "thread"));
  EXPECT_FALSE(pattern_matches("read|write", "readLine"));
  EXPECT_TRUE(pattern_matches("org.apache.*", "org.apache.Stream"));
  EXPECT_FALSE(pattern_matches("org.apache.*", "com.org.apache.Stream"));
  EXPECT_TRUE(pattern_matches("", ""));
  EXPECT_FALSE(pattern_matches("", "a"));
  EXPECT_TRUE(pattern_matches("a|", ""));
}

std::vector<std::string> samples_of(const std::string& expression, std::size_t most) {
  return std::get<Pattern>(Pattern::compile(expression)).samples(most);
}

TEST(PtqlPattern, HasSamplesShortOnesFirst) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(samples_of("read|write(Line)?", 9), (Texts{"read", "write", "writeLine"}));
  EXPECT_EQ(samples_of("java\\.io\\.(In|Out)put", 9), (Texts{"java.io.Input", "java.io.Output"}));
  EXPECT_EQ(samples_of("Shop([$].*)?", 3), (Texts{"Shop", "Shop$", "Shop$x"}));
  EXPECT_EQ(samples_of("[^x]\\d{2}[b-d]", 9), Texts{"A00b"});
  EXPECT_EQ(samples_of("(a*)*", 3), (Texts{"", "a", "aa"}));
  EXPECT_EQ(samples_of("a$b|^c", 9), Texts{"c"});
  EXPECT_EQ(samples_of("a^", 9), Texts{});
}

TEST(PtqlPattern, KnowsClassesRepetitionsGroupsAndEnds) {
  EXPECT_TRUE(pattern_matches("[a-c]+[^x-z]?\\d{2,3}", "abc_123"));
  EXPECT_FALSE(pattern_matches("[a-c]+[^x-z]?\\d{2,3}", "abcx123"));
  EXPECT_TRUE(pattern_matches("(?:ab){2}(c|d)*", "ababcdc"));
  EXPECT_FALSE(pattern_matches("(?:ab){2}", "ab"));
  EXPECT_TRUE(pattern_matches("a{0,2}b{2,}", "abbbb"));
  EXPECT_FALSE(pattern_matches("a{0,2}b{2,}", "aaabb"));
  EXPECT_TRUE(pattern_matches("^get[A-Z]\\w*$", "getName"));
  EXPECT_FALSE(pattern_matches("a^b", "ab"));
  EXPECT_TRUE(pattern_matches("\\.\\*[]a-]", ".*]"));
  EXPECT_TRUE(pattern_matches("[\\]\\d]\\s\\S\\W", "5 x-"));
  EXPECT_TRUE(pattern_matches("gr..e", "größe"));
  EXPECT_TRUE(pattern_matches("(a*)*b", "aab"));
  EXPECT_TRUE(pattern_matches("(a|b|)*?c", "abac"));
}

TEST(PtqlPattern, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(pattern_problem("a(b"), "1: this ( is not closed");
  EXPECT_EQ(pattern_problem("ab)"), "2: this ) closes no group");
  EXPECT_EQ(pattern_problem("[a"), "0: this [ is not closed");
  EXPECT_EQ(pattern_problem("[z-a]"), "1: the range ends before it begins");
  EXPECT_EQ(pattern_problem("*a"),
            "0: nothing stands before it that could be repeated; the character itself needs a \\ "
            "before it");
  EXPECT_EQ(pattern_problem("a**"), "2: a repetition is repeated; put it between ( and )");
  EXPECT_EQ(pattern_problem("a{5,2}"),
            "1: a repetition is {2}, {2,} or {2,5}, with at most 1000; a brace itself is \\{");
  EXPECT_EQ(pattern_problem("(a)\\1"),
            "3: of \\ and a letter or digit there are \\d \\w \\s \\D \\W \\S");
  EXPECT_EQ(pattern_problem("(?=a)"), "0: of groups that begin with (? there is only (?:");
  EXPECT_EQ(pattern_problem("a\\"), "1: a \\ stands at the end");
  EXPECT_EQ(pattern_problem("((a{1000}){1000}){1000}"), "16: the expression is too large");
  EXPECT_EQ(pattern_problem(std::string(1000, '(')), "201: groups are nested too deeply");
}

TEST(PtqlPattern, TakesLinearTimeWhereBacktrackingWouldNotEnd) {
  const std::clock_t begin = std::clock();
  EXPECT_FALSE(pattern_matches("(a*)*b", std::string(100'000, 'a')));
  EXPECT_FALSE(pattern_matches("(a|aa)+$b", std::string(100'000, 'a')));
  EXPECT_LT((std::clock() - begin) / CLOCKS_PER_SEC, 20);
}

TEST(PtqlPattern, AgreesWithTheStandardLibrary) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    std::mt19937_64 random(seed);
    const std::vector<std::string> parts = {"a",  "b",  ".",     "[ab]", "[^a]", "(a|b)",  "(ab|a)",
                                            "a*", "b+", "(ab)*", "a?",   "a{2}", "b{1,2}", "|"};
    std::string expression;
    for (std::uint64_t i = 1 + random() % 6; i > 0; --i)
      expression += parts[random() % parts.size()];
    const std::regex oracle(expression);
    for (int i = 0; i < 10; ++i) {
      std::string text;
      for (std::uint64_t k = random() % 7; k > 0; --k)
        text += static_cast<char>('a' + random() % 3);
      ASSERT_EQ(pattern_matches(expression, text), std::regex_match(text, oracle))
          << "seed " << seed << ": " << expression << " on " << text;
    }
  }
}

}  // namespace
}  // namespace copse::ptql
