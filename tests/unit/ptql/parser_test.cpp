#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "support/expect_fault.h"
#include "support/ptql_queries.h"

namespace copse::ptql {
namespace {

using testing::query_of;

std::string problem_of(const std::string& text) {
  const std::variant<Query, Problem> parsed = parse_query(text);
  const auto* problem = std::get_if<Problem>(&parsed);
  return problem == nullptr ? "right" : to_text(*problem);
}

// Problem of "SELECT x.startTime FROM MethodInvocation x WHERE ...", whose predicates begin in column 1 of
// line 2.
std::string predicate_problem(const std::string& predicate) {
  return problem_of("SELECT x.startTime FROM MethodInvocation x, ObjectAllocation o WHERE\n" +
                    predicate);
}

TEST(PtqlParser, ReadsAQueryWithAllItsParts) {
  const Query query = query_of(
      "select x.methodName, COUNT(*) -- what is said here is nothing\n"
      "FROM MethodInvocation x, NEGATIVE ObjectAllocation o\n"
      "WHERE x.receiver = o.receiver AND x.endTime - x.startTime >= 10 AND x.param1 = \"it's\"\n"
      "  AND under(x.context, 'shop.**') AND x.thread.name GLOB 'pool-*' AND x.result > -1.5\n"
      "GROUP BY x.methodName ORDER BY COUNT(*) DESC, x.methodName LIMIT 10;");
  ASSERT_EQ(query.identifiers.size(), 2u);
  EXPECT_TRUE(query.identifiers[1].negative);
  EXPECT_EQ(query.negatives(), set_of(1));
  ASSERT_EQ(query.predicates.size(), 6u);
  EXPECT_EQ(query.predicates[0].identifiers, set_of(0) | set_of(1));
  EXPECT_EQ(query.predicates[1].left.terms.size(), 2u);
  EXPECT_TRUE(query.predicates[1].left.terms[1].minus);
  EXPECT_EQ(*query.predicates[2].right.literal()->text(), "it's");
  EXPECT_EQ(query.predicates[2].left.field()->parameter, 1u);
  EXPECT_EQ(query.predicates[3].kind, Predicate::Kind::kUnder);
  EXPECT_EQ(query.predicates[4].left.field()->field, Field::kThreadName);
  EXPECT_EQ(query.predicates[5].right.literal()->as_real(), -1.5);
  EXPECT_EQ(query.predicates[5].text, "x.result > -1.5");
  EXPECT_EQ(query.grouped_by, std::vector<std::size_t>{0});
  ASSERT_EQ(query.ordered_by.size(), 2u);
  EXPECT_EQ(query.ordered_by[0].selected, 1u);
  EXPECT_TRUE(query.ordered_by[0].descending);
  EXPECT_EQ(query.limit, 10u);
}

// The grammar as the page of the language has it.
std::string grammar() {
  std::ifstream file(COPSE_PTQL_PAGE);
  const std::string page(std::istreambuf_iterator<char>(file), {});
  const std::size_t begin = page.find("```\nquery ") + 4;
  return page.substr(begin, page.find("```", begin) - begin);
}

TEST(PtqlParser, TakesTheComparisonsOfTheGrammarAndNoOthers) {
  const std::string text = grammar();
  std::set<std::string> written = {"=~", "!~"};
  std::istringstream line(text.substr(text.find("comparison := ") + 14));
  for (std::string symbol, bar = "|"; bar == "|"; line >> bar) {
    line >> symbol;
    written.insert(symbol);
  }
  std::set<std::string> taken;
  const std::string_view characters = "<>=!~*/%&|^?:@#$";
  std::vector<std::string> symbols = {""};
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const std::string symbol = symbols[i];
    for (const std::string operands : {"x.startTime? 5", "x.methodName?'f'"}) {
      std::string predicate = operands;
      predicate.replace(operands.find('?'), 1, symbol);
      if (predicate_problem(predicate) == "right") taken.insert(symbol);
    }
    if (symbol.size() == 3) continue;
    for (const char c : characters) symbols.push_back(symbol + c);
  }
  EXPECT_EQ(taken, written);
  EXPECT_GT(written.size(), 2u);
  EXPECT_NAMES(predicate_problem("x.startTime == 5"), "line 2, column 13: ", "no ==", "written =");
  EXPECT_NAMES(problem_of("SELECT COUNT(*) FROM MethodInvocation x HAVING COUNT(*) == 5"),
               "line 1, column 57: ", "no ==", "written =");
}

TEST(PtqlParser, TakesTheWordsOfTheGrammarAndNoneThatAreNearlyOne) {
  const std::string parts = "SELECT x.result, COUNT(*) FROM MethodInvocation x";
  const std::map<std::string, std::string> queries = {
      {"SELECT", parts + " GROUP BY x.result"},
      {"FROM", "SELECT x.result FROM MethodInvocation x"},
      {"WHERE", "SELECT x.result FROM MethodInvocation x WHERE x.result = 1"},
      {"AND", "SELECT x.result FROM MethodInvocation x WHERE x.result = 1 AND x.param0 = 1"},
      {"GROUP", parts + " GROUP BY x.result"},
      {"BY", parts + " GROUP BY x.result"},
      {"HAVING", parts + " GROUP BY x.result HAVING COUNT(*) > -1"},
      {"ORDER", "SELECT x.result FROM MethodInvocation x ORDER BY x.result"},
      {"ASC", "SELECT x.result FROM MethodInvocation x ORDER BY x.result ASC"},
      {"DESC", "SELECT x.result FROM MethodInvocation x ORDER BY x.result DESC"},
      {"LIMIT", "SELECT x.result FROM MethodInvocation x LIMIT 1;"},
      {"COUNT", "SELECT COUNT(*) FROM MethodInvocation x"},
      {"SUM", "SELECT SUM(x.result) FROM MethodInvocation x"},
      {"MIN", "SELECT MIN(x.result) FROM MethodInvocation x"},
      {"MAX", "SELECT MAX(x.result) FROM MethodInvocation x"},
      {"AVG", "SELECT AVG(x.result) FROM MethodInvocation x HAVING AVG(x.result) < 1.5"},
      {"NEGATIVE", "SELECT x.result FROM MethodInvocation x, NEGATIVE ObjectAllocation o"},
      {"GLOB", "SELECT x.result FROM MethodInvocation x WHERE x.methodName GLOB 'f*'"}};
  std::set<std::string> written, known;
  const std::string text = grammar();
  const std::regex words("\\b[A-Z]{2,}\\b");
  for (std::sregex_iterator word(text.begin(), text.end(), words), end; word != end; ++word) {
    written.insert(word->str());
  }
  for (const auto& [word, query] : queries) {
    known.insert(word);
    EXPECT_EQ(problem_of(query), "right") << query;
    for (const std::string& near : {word.substr(0, word.size() - 1), word + word.back()}) {
      std::string other = query;
      other.replace(other.find(word), word.size(), near);
      EXPECT_NE(problem_of(other), "right") << other;
    }
  }
  EXPECT_EQ(known, written);
}

TEST(PtqlParser, TakesTheValuesOfTheGrammarAndNoneThatAreNearlyOne) {
  for (const char* value :
       {"12", "1.5", "1e6", "1.5E-3", "-12", "-1.5", "'text'", "\"text\"", "'it''s'", "true",
        "FALSE", "null", "x.param1", "-x.param1", "1 - 2 + 1.5", "- 1 - x.param1"}) {
    EXPECT_EQ(predicate_problem(std::string("x.param0 = ") + value), "right") << value;
  }
  for (const char* value : {"12.",
                            ".5",
                            "1e",
                            "1e+",
                            "0x10",
                            "12abc",
                            "1_000",
                            "1,5",
                            "1.2.3",
                            "+5",
                            "--5",
                            "- -5",
                            "1 +",
                            "1 - - 2",
                            "'a' 'b'",
                            "'a\"",
                            "text",
                            "'a'text",
                            "true false",
                            "(1)",
                            "x.",
                            "x",
                            "5AND x.param0 = 5",
                            "x.param1 x.param1",
                            "*",
                            "-",
                            "-'a'",
                            "-true",
                            "'a' + 'b'"}) {
    EXPECT_NE(predicate_problem(std::string("x.param0 = ") + value), "right") << value;
  }
  EXPECT_NAMES(predicate_problem("x.param0 = 0x10"), "line 2, column 12: ", "0x10");
  for (const char* predicate :
       {"x.startTime + 1 GLOB 'f'", "'f' GLOB 'f'", "x.methodName GLOB x.methodName",
        "x.methodName =~ x.methodName", "'f' =~ 'f'", "under('f', 'f')", "under(x.startTime, 'f')",
        "under(x.context)", "x.startTime", "5"}) {
    EXPECT_NE(predicate_problem(predicate), "right") << predicate;
  }
  for (const char* end : {"LIMIT", "LIMIT 1.0", "LIMIT -1", "LIMIT 1 LIMIT 1",
                          "HAVING x.result > 1", "HAVING COUNT(*) > 1.5", "GROUP BY COUNT(*)",
                          "ORDER BY x.param0", "ORDER BY x.result ASC DESC", "; ;"}) {
    EXPECT_NE(problem_of(std::string("SELECT x.result FROM MethodInvocation x ") + end), "right")
        << end;
  }
}

TEST(PtqlParser, TakesWordsOfTheLanguageAsIdentifiers) {
  const Query query = query_of(
      "SELECT order.startTime, count.startTime FROM MethodInvocation order, MethodInvocation "
      "count, "
      "MethodInvocation limit WHERE order.thread = count.thread AND limit.thread = order.thread");
  EXPECT_EQ(query.identifiers[0].name, "order");
  EXPECT_EQ(query.predicates.size(), 2u);
}

TEST(PtqlParser, TakesBothSpellingsOfRealTimes) {
  const Query query =
      query_of("SELECT x.startRealTime, x.realStartTime, x.endRealTime FROM MethodInvocation x");
  EXPECT_EQ(query.selected[0].field, query.selected[1].field);
  EXPECT_EQ(query.selected[2].field.field, Field::kRealEndTime);
}

TEST(PtqlParser, SelectsWithAStarWhatIsKnownAtTheStart) {
  const Query query =
      query_of("SELECT * FROM MethodInvocation x, NEGATIVE MethodInvocation n, ObjectAllocation o");
  std::string headings;
  for (const SelectedItem& item : query.selected) headings += query.heading(item) + " ";
  EXPECT_EQ(headings,
            "x.startTime x.implementingClass x.methodName x.thread "
            "o.startTime o.dynamicType o.receiver o.allocThread ");
}

TEST(PtqlParser, TellsTheEightQueriesOfTheReport) {
  for (const std::string& text :
       {testing::kHashCodeConsistent, testing::equal_objects("true", "!="),
        testing::equal_objects("false", "="), testing::string_concats(5), testing::kDelayedClose,
        testing::kCompareToReflexive, testing::kCompareToAntisymmetric,
        testing::kCompareToTransitive}) {
    EXPECT_EQ(problem_of(text), "right") << text;
  }
}

TEST(PtqlParser, SaysWhereAFieldIsUnknownAndWhatWasMeant) {
  EXPECT_NAMES(problem_of("SELECT x.startTime\nFROM MethodInvocation x\nWHERE x.startTme < 5"),
               "line 3, column 9: ", "startTime?", "startTme");
  EXPECT_NAMES(predicate_problem("o.methodName = 'x'"), "line 2, column 3: ", "methodName",
               "ObjectAllocation", "MethodInvocation");
  EXPECT_NAMES(predicate_problem("x.thread.nam = 'x'"), "line 2, column 3: ", "thread.name?");
  EXPECT_NAMES(predicate_problem("o.zzzzzzzz = 1"), "line 2, column 3: ", "zzzzzzzz", "context");
  EXPECT_NAMES(predicate_problem("x.param01 = 1"), "line 2, column 3: ", "param1?", "param01");
  EXPECT_NAMES(predicate_problem("x.param0.txt = 'tea'"), "line 2, column 3: ", "param0.text?",
               "param0.txt");
  EXPECT_NAMES(predicate_problem("x.param01.text = 'tea'"), "line 2, column 3: ", "param1.text?",
               "param01.text");
  EXPECT_NAMES(predicate_problem("y.startTime = 1"), "line 2, column 1: ", "x?", "FROM",
               "identifier y");
  EXPECT_NAMES(problem_of("SELECT y.startTime FROM MethodInvocation abc"),
               "line 1, column 8: ", "FROM", "identifier y");
}

// The part of the message behind "line 2, column 3: ".
std::string field_problem(const std::string& field) {
  return predicate_problem("x." + field + " = 1").substr(std::string("line 2, column 3: ").size());
}

TEST(PtqlParser, SaysWhatParametersAreCalled) {
  for (const char* field : {"param255", "param300", "param99999999999999999999", "param256.text"}) {
    EXPECT_NAMES(field_problem(field), field, "255 parameters", "param0", "param254");
  }
  for (const char* field : {"param", "params", "paramX", "parameter", "args", "param.text"}) {
    EXPECT_NAMES(field_problem(field), field, "param0, param0.text, param0.value");
  }
  EXPECT_NAMES(predicate_problem("x.param-1 = 5"), "param0, param0.text, param0.value");
  EXPECT_NAMES(predicate_problem("x.param[0] = 5"), "x.param0, x.param1");
  EXPECT_NAMES(field_problem("arg2"), "param2?", "arg2");
  EXPECT_NAMES(field_problem("parameter12.text"), "param12.text?", "parameter12.text");
  EXPECT_NAMES(field_problem("param3.valeu"), "param3.value?", "param3.valeu");
  EXPECT_NAMES(field_problem("param3.type"), "dynamicType", "ObjectAllocation");
  EXPECT_EQ(predicate_problem("x.param254 = 5"), "right");
}

TEST(PtqlParser, SaysWhatOtherWordsForFieldsMean) {
  for (const auto& [word, meant] :
       std::vector<std::pair<std::string, std::string>>{{"class", "implementingClass"},
                                                        {"name", "methodName"},
                                                        {"this", "receiver"},
                                                        {"returnValue", "result"},
                                                        {"exception", "thrown"},
                                                        {"calledBy", "caller"},
                                                        {"threadName", "thread.name"},
                                                        {"allocThread", "thread"}}) {
    EXPECT_NAMES(field_problem(word), word, meant + "?");
  }
  EXPECT_NAMES(predicate_problem("o.class = 'A'"), "line 2, column 3: ", "dynamicType?", "class");
  EXPECT_NAMES(predicate_problem("o.thread = 'A'"), "line 2, column 3: ", "allocThread?", "thread");
}

TEST(PtqlParser, SaysWhatIsMissing) {
  EXPECT_NAMES(problem_of("SELECT FROM MethodInvocation x"), "line 1, column 8: ", "is FROM");
  EXPECT_NAMES(problem_of("SELECT"), "line 1, column 7: ");
  EXPECT_NAMES(problem_of("SELECT WHERE x.result = 1"), "line 1, column 8: ", "is WHERE");
  EXPECT_NAMES(problem_of("SELECT x.result, FROM MethodInvocation x"),
               "line 1, column 18: ", "is FROM");
  const std::string from = "SELECT x.result FROM MethodInvocation";
  EXPECT_NAMES(problem_of(from + " WHERE x.result = 1"), "line 1, column 39: ", "is WHERE",
               "MethodInvocation");
  EXPECT_NAMES(problem_of(from + " x, WHERE x.result = 1"), "line 1, column 42: ", "is WHERE",
               "FROM", "MethodInvocation", "ObjectAllocation");
  EXPECT_NAMES(problem_of(from + " x WHERE"), "line 1, column 46: ");
  EXPECT_NAMES(problem_of(from + " x WHERE LIMIT 3"), "line 1, column 47: ", "is LIMIT");
  EXPECT_NAMES(problem_of(from + " x WHERE AND x.result = 1"), "line 1, column 47: ", "is AND");
  EXPECT_NAMES(problem_of(from + " x WHERE x.result = 1 AND;"), "line 1, column 63: ", "is ;",
               "AND");
  EXPECT_EQ(
      problem_of(
          "SELECT from.result, where.result FROM MethodInvocation from, MethodInvocation where "
          "WHERE where.result = from.result"),
      "right");
}

TEST(PtqlParser, SaysWhereQuotesAreMissing) {
  EXPECT_NAMES(predicate_problem("x.implementingClass = java.util.ArrayList"),
               "line 2, column 23: ", "'java.util.ArrayList'", "FROM");
  for (const char* quote : {"`", "\u2018", "\u201c"}) {
    EXPECT_NAMES(predicate_problem("x.methodName = " + std::string(quote) + "find"), "' and '")
        << quote;
  }
  EXPECT_NAMES(predicate_problem("x.result = 1 && x.param0 = 2"), "AND");
  EXPECT_NAMES(predicate_problem("x.result = 1 || x.param0 = 2"), "OR");
}

TEST(PtqlParser, SaysWhereAQueryIsNotOne) {
  EXPECT_NAMES(problem_of(""), "line 1, column 1: ", "SELECT");
  EXPECT_NAMES(problem_of("SELEC x.startTime"), "line 1, column 1: ", "is SELEC", "SELECT");
  EXPECT_NAMES(problem_of("SELECT x FROM MethodInvocation x"), "line 1, column 10: ", "is FROM",
               "x.startTime");
  EXPECT_NAMES(problem_of("SELECT x.startTime"), "line 1, column 19: ", "FROM");
  EXPECT_NAMES(problem_of("SELECT x.startTime FROM MethodInvokation x"),
               "line 1, column 25: ", "MethodInvocation?");
  EXPECT_NAMES(problem_of("SELECT x.startTime FROM MethodInvocation"),
               "line 1, column 41: ", "MethodInvocation");
  EXPECT_NAMES(problem_of("SELECT x.startTime FROM MethodInvocation x, ObjectAllocation x"),
               "line 1, column 62: ", "identifiers x");
  EXPECT_NAMES(problem_of("SELECT DISTINCT x.result FROM MethodInvocation x"),
               "line 1, column 8: ", "is DISTINCT");
  EXPECT_NAMES(problem_of("SELECT x.result FROM MethodInvocation AS x"),
               "line 1, column 39: ", "AS", "MethodInvocation");
  EXPECT_NAMES(
      problem_of("SELECT x.result FROM MethodInvocation x ORDER BY x.result WHERE x.result = 1"),
      "line 1, column 59: ", "is WHERE", "FROM", "GROUP BY", "HAVING");
  EXPECT_NAMES(predicate_problem("x.methodName = nap"), "line 2, column 16: ", "'nap'",
               "x.startTime");
  EXPECT_NAMES(predicate_problem("x.methodName < 5"), "line 2, column 1: ", "string", "number");
  EXPECT_NAMES(problem_of("SELECT x.startTime FROM NEGATIVE MethodInvocation x"),
               "line 1, column 51: ", "NEGATIVE");
  EXPECT_NAMES(problem_of("SELECT x.startTime FROM MethodInvocation x WERE x.result = 1"),
               "line 1, column 44: ", "WHERE?", "is WERE");
  EXPECT_NAMES(predicate_problem("x.result = 'a"), "line 2, column 12: ", "string");
  EXPECT_NAMES(predicate_problem("x.result ! 1"), "line 2, column 10: ");
  EXPECT_NAMES(predicate_problem("x.result = \xff"), "line 2, column 12: ", "UTF");
  EXPECT_NAMES(predicate_problem("x.result 5"), "line 2, column 10: ", "is 5", "=~", "GLOB");
  EXPECT_NAMES(predicate_problem("x.result = 99999999999999999999"),
               "line 2, column 12: ", "number", "64 bits");
  EXPECT_NAMES(predicate_problem("x.result = 1 OR x.result = 2"), "line 2, column 14: ", "OR",
               "=~");
  EXPECT_NAMES(predicate_problem("NOT x.result = 1"), "line 2, column 1: ", "is NOT", "NEGATIVE");
  EXPECT_NAMES(predicate_problem("x.result = 1 LIMIT 0"), "line 2, column 20: ", "is 0", "LIMIT",
               "number");
}

TEST(PtqlParser, SaysWhatStandsInPlaceOfWordsOfSql) {
  EXPECT_NAMES(problem_of("SELECT x.result FROM MethodInvocation x join MethodInvocation y"),
               "line 1, column 41: ", "is join", "JOIN", "FROM", "WHERE");
  EXPECT_NAMES(problem_of("SELECT median(x.result) FROM MethodInvocation x"),
               "line 1, column 8: ", "is median", "COUNT", "SUM", "MIN", "MAX", "AVG");
  EXPECT_NAMES(predicate_problem("x.methodName LIKE 'get%'"), "line 2, column 14: ", "is LIKE",
               "x.methodName", "GLOB", "=~");
  EXPECT_NAMES(predicate_problem("x.thrown IS NULL"), "line 2, column 10: ", "is IS", "x.thrown");
  EXPECT_NAMES(predicate_problem("(x.result = 1)"), "line 2, column 1: ", "is (");
  EXPECT_EQ(problem_of("SELECT in.result FROM MethodInvocation in WHERE in.result = 5"), "right");
}

TEST(PtqlParser, CountsColumnsInCharacters) {
  EXPECT_NAMES(predicate_problem("x.methodName = 'größe' AND x.y = 1"), "line 2, column 30: ", "y",
               "param0", "context");
}

TEST(PtqlParser, RefusesComparisonsThatNeverHold) {
  EXPECT_NAMES(predicate_problem("x.methodName = 5"), "line 2, column 1: ", "string", "number");
  EXPECT_NAMES(predicate_problem("x.thread = 'main'"), "line 2, column 1: ", "object", "string",
               "x.thread.name");
  EXPECT_NAMES(predicate_problem("'main' != o.allocThread"), "line 2, column 1: ", "string",
               "object", "o.allocThread.name");
  EXPECT_NAMES(predicate_problem("x.thrown = 'java.io.IOException'"),
               "line 2, column 1: ", "object", "string", "x.thrown.type");
  EXPECT_NAMES(predicate_problem("o.receiver = 5"), "line 2, column 1: ", "object", "number",
               "m.param0", "m.receiver");
  EXPECT_NAMES(predicate_problem("x.param0.value = 'tea'"), "line 2, column 1: ", "number",
               "true or false", "string");
  EXPECT_NAMES(predicate_problem("x.startTime != true"), "line 2, column 1: ", "number",
               "true or false");
  EXPECT_NAMES(predicate_problem("x.receiver < o.receiver"), "line 2, column 1: ", "object");
  EXPECT_NAMES(predicate_problem("x.methodName + 1 = x.result"), "line 2, column 1: ", "string");
  EXPECT_NAMES(predicate_problem("1 = 1"), "line 2, column 1: ");
  EXPECT_NAMES(predicate_problem("x.startTime =~ '1.*'"), "line 2, column 1: ", "=~", "GLOB",
               "string");
  EXPECT_NAMES(predicate_problem("under(x.methodName, 'a')"), "line 2, column 1: ", "context",
               "x.context");
  EXPECT_NAMES(predicate_problem("x.methodName =~ 'a(b'"), "line 2, column 19: ");
}

TEST(PtqlParser, TakesLiteralsBesideReceiversThatMayBeStringsOrBoxes) {
  for (const char* predicate :
       {"x.receiver = 5", "1.5 < x.receiver", "x.receiver >= 'a'", "x.receiver != true",
        "x.receiver =~ 'a.*'", "x.receiver GLOB 'a*'", "x.receiver = x.param0.value",
        "x.receiver = x.param0.text", "x.receiver = null", "x.param0.value + 1 < 5",
        "x.param0.value = true", "x.result.value = x.param0"}) {
    EXPECT_EQ(predicate_problem(predicate), "right") << predicate;
  }
  for (const char* predicate :
       {"x.receiver < x.param0", "x.receiver < o.receiver", "x.receiver < true",
        "x.receiver + 1 = 5", "o.receiver =~ 'a'", "o.receiver < 'a'", "x.thrown = 5",
        "x.param0.value = x.receiver.a"}) {
    EXPECT_NE(predicate_problem(predicate), "right") << predicate;
  }
}

TEST(PtqlParser, KnowsWhichPredicatesAskForOneObject) {
  const auto is_of_objects = [](const std::string& predicate) {
    return query_of("SELECT x.thread FROM MethodInvocation x, ObjectAllocation o WHERE " +
                    predicate)
        .predicates[0]
        .of_objects;
  };
  EXPECT_TRUE(is_of_objects("x.receiver = x.param0"));
  EXPECT_TRUE(is_of_objects("x.result != o.receiver"));
  EXPECT_FALSE(is_of_objects("x.param0 = x.result")) << "an int and an Integer may be equal";
  EXPECT_FALSE(is_of_objects("x.receiver = 5"));
  EXPECT_FALSE(is_of_objects("x.receiver = x.param0.value"));
  EXPECT_FALSE(is_of_objects("x.receiver = null"));
}

TEST(PtqlParser, RefusesWhatNegativeIdentifiersCannotGive) {
  const std::string from =
      " FROM MethodInvocation x, NEGATIVE MethodInvocation n, "
      "NEGATIVE MethodInvocation m";
  EXPECT_NAMES(problem_of("SELECT n.startTime" + from), "line 1, column 8: ", "NEGATIVE");
  EXPECT_NAMES(problem_of("SELECT x.startTime" + from + " WHERE n.startTime < m.startTime"),
               "line 1, column 108: ", "NEGATIVE");
}

TEST(PtqlParser, RefusesGroupsThatSayTooLittle) {
  EXPECT_NAMES(problem_of("SELECT x.methodName, COUNT(*) FROM MethodInvocation x"),
               "line 1, column 54: ", "x.methodName", "COUNT", "GROUP BY");
  EXPECT_NAMES(problem_of("SELECT COUNT(*) FROM MethodInvocation x GROUP BY x.thread"),
               "line 1, column 50: ", "x.thread", "SELECT");
  EXPECT_NAMES(problem_of("SELECT x.thread FROM MethodInvocation x ORDER BY x.startTime"),
               "line 1, column 50: ", "x.startTime", "SELECT");
  EXPECT_NAMES(problem_of("SELECT COUNT(x.thread) FROM MethodInvocation x"),
               "line 1, column 14: ", "is x", "COUNT");
  const std::string having = "SELECT x.thread FROM MethodInvocation x GROUP BY x.thread HAVING ";
  EXPECT_NAMES(problem_of(having + "x.thread > 1"), "line 1, column 66: ", "is x", "HAVING",
               "COUNT");
  EXPECT_NAMES(problem_of(having + "SUM(x.result) > 1"), "line 1, column 66: ", "SUM(x.result)",
               "SELECT");
  EXPECT_NAMES(problem_of("SELECT x.thread, SUM(x.result) FROM MethodInvocation x"),
               "line 1, column 55: ", "x.thread", "GROUP BY");
  EXPECT_NAMES(problem_of("SELECT x.result FROM MethodInvocation x GROUP BY MAX(x.result)"),
               "line 1, column 50: ", "is MAX", "fields");
  EXPECT_NAMES(problem_of(having + "COUNT(*) =~ 1"), "line 1, column 75: ", "is =~", "COUNT");
  EXPECT_NAMES(problem_of(having + "COUNT(*) > x"), "line 1, column 77: ", "is x", "COUNT",
               "number");
  EXPECT_NAMES(problem_of(having + "COUNT(*) > 1.5"), "line 1, column 77: ", "COUNT", "number");
  EXPECT_NAMES(problem_of("SELECT x.thread FROM MethodInvocation x HAVING COUNT(*) > 1"),
               "line 1, column 41: ", "x.thread", "COUNT", "GROUP BY");
}

TEST(PtqlParser, CombinesNumbersAlone) {
  const auto of = [](const std::string& item) {
    return problem_of("SELECT " + item + " FROM MethodInvocation x");
  };
  EXPECT_NAMES(of("SUM(x.methodName)"), "line 1, column 8: ", "SUM(x.methodName)", "a string",
               "numbers");
  EXPECT_NAMES(of("AVG(x.thread)"), "line 1, column 8: ", "AVG", "an object", "numbers");
  EXPECT_NAMES(of("MIN(x.result.ignored)"), "line 1, column 8: ", "MIN", "true or false");
  EXPECT_NAMES(of("MAX(x.result.text)"), "line 1, column 8: ", "MAX", "a string");
  EXPECT_NAMES(of("SUM(*)"), "line 1, column 12: ", "field");
  EXPECT_NAMES(of("SUM(x.result"), "line 1, column 21: ", "SUM", ")");
  const Query query = testing::query_of(
      "select sum(x.result), avg(x.startTime), x.thread FROM MethodInvocation x GROUP BY x.thread "
      "HAVING SUM(x.result) > -1.5 ORDER BY SUM(x.result)");
  EXPECT_EQ(query.heading(query.selected[0]), "SUM(x.result)");
  EXPECT_EQ(query.having->selected, 0u);
  EXPECT_EQ(query.having->number.as_real(), -1.5);
}

TEST(PtqlParser, PutsACaretBelowThePlace) {
  const std::string query = "SELECT x.a\nFROM y\tz";
  EXPECT_EQ(with_caret(query, {1, 8}), "  SELECT x.a\n         ^\n");
  EXPECT_EQ(with_caret(query, {2, 8}), "  FROM y z\n         ^\n");
  EXPECT_EQ(with_caret(query, {2, 9}), "  FROM y z\n          ^\n");
  const std::string longer = std::string(200, 'a') + "b" + std::string(100, 'c');
  EXPECT_EQ(with_caret(longer, {1, 201}), "  ..." + std::string(60, 'a') + "b" +
                                              std::string(35, 'c') + "...\n" +
                                              std::string(65, ' ') + "^\n");
}

TEST(PtqlParser, RefusesTooManyIdentifiersAndTooLongTexts) {
  std::string from = "MethodInvocation a0";
  for (int i = 1; i < 17; ++i) from += ", MethodInvocation a" + std::to_string(i);
  EXPECT_NAMES(problem_of("SELECT a0.startTime FROM " + from),
               "line 1, column 385: ", "16 identifiers");
  EXPECT_NAMES(problem_of(std::string(70'000, ' ')), "line 1, column 1: ", "64 KiB");
}

}  // namespace
}  // namespace copse::ptql
