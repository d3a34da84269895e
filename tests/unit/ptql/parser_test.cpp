#include <gtest/gtest.h>

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
  EXPECT_EQ(problem_of("SELECT x.startTime\nFROM MethodInvocation x\nWHERE x.startTme < 5"),
            "line 3, column 9: no field startTme; did you mean startTime?");
  EXPECT_EQ(predicate_problem("o.methodName = 'x'"),
            "line 2, column 3: no field methodName in ObjectAllocation; it is one of "
            "MethodInvocation");
  EXPECT_EQ(predicate_problem("x.thread.nam = 'x'"),
            "line 2, column 3: no field thread.nam; did you mean thread.name?");
  EXPECT_EQ(predicate_problem("o.zzzzzzzz = 1"),
            "line 2, column 3: no field zzzzzzzz; there are startTime, endTime, realStartTime, "
            "realEndTime, allocThread, allocThread.name, dynamicType, equalsClass, "
            "hashCodeClass, compareToClass, receiver, context");
  EXPECT_EQ(predicate_problem("x.param01 = 1"),
            "line 2, column 3: no field param01; did you mean param1?");
  EXPECT_EQ(predicate_problem("x.param0.txt = 'tea'"),
            "line 2, column 3: no field param0.txt; did you mean param0.text?");
  EXPECT_EQ(predicate_problem("x.param01.text = 'tea'"),
            "line 2, column 3: no field param01.text; did you mean param1.text?");
  EXPECT_EQ(predicate_problem("y.startTime = 1"),
            "line 2, column 1: FROM has no identifier y; did you mean x?");
  EXPECT_EQ(problem_of("SELECT y.startTime FROM MethodInvocation abc"),
            "line 1, column 8: FROM has no identifier y");
}

// The part of the message behind "line 2, column 3: ".
std::string field_problem(const std::string& field) {
  return predicate_problem("x." + field + " = 1").substr(std::string("line 2, column 3: ").size());
}

TEST(PtqlParser, SaysWhatParametersAreCalled) {
  for (const char* field : {"param255", "param300", "param99999999999999999999", "param256.text"}) {
    EXPECT_EQ(field_problem(field),
              "no field " + std::string(field) +
                  "; a method has 255 parameters at most, param0 to param254");
  }
  const std::string numbered =
      "; parameters are numbered from 0: param0, param0.text, param0.value";
  for (const char* field : {"param", "params", "paramX", "parameter", "args", "param.text"}) {
    EXPECT_EQ(field_problem(field), "no field " + std::string(field) + numbered);
  }
  EXPECT_TRUE(predicate_problem("x.param-1 = 5").ends_with("no field param" + numbered));
  EXPECT_TRUE(predicate_problem("x.param[0] = 5")
                  .ends_with("parameters are numbered fields: x.param0, x.param1"));
  EXPECT_EQ(field_problem("arg2"), "no field arg2; did you mean param2?");
  EXPECT_EQ(field_problem("parameter12.text"),
            "no field parameter12.text; did you mean param12.text?");
  EXPECT_EQ(field_problem("param3.valeu"), "no field param3.valeu; did you mean param3.value?");
  EXPECT_NE(field_problem("param3.type").find("dynamicType of an ObjectAllocation o"),
            std::string::npos);
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
    EXPECT_EQ(field_problem(word), "no field " + word + "; did you mean " + meant + "?");
  }
  EXPECT_EQ(predicate_problem("o.class = 'A'"),
            "line 2, column 3: no field class; did you mean dynamicType?");
  EXPECT_EQ(predicate_problem("o.thread = 'A'"),
            "line 2, column 3: no field thread; did you mean allocThread?");
}

TEST(PtqlParser, SaysWhatIsMissing) {
  const std::string selected =
      "behind SELECT comes what an answer shows: fields as x.methodName, COUNT(*), or * for the "
      "most "
      "usual ones; ";
  EXPECT_EQ(problem_of("SELECT FROM MethodInvocation x"),
            "line 1, column 8: " + selected + "here is FROM");
  EXPECT_EQ(problem_of("SELECT"), "line 1, column 7: " + selected + "the query ends here");
  EXPECT_EQ(problem_of("SELECT WHERE x.result = 1"),
            "line 1, column 8: " + selected + "here is WHERE");
  EXPECT_EQ(problem_of("SELECT x.result, FROM MethodInvocation x"),
            "line 1, column 18: behind a comma comes one more field; here is FROM");
  const std::string from = "SELECT x.result FROM MethodInvocation";
  EXPECT_EQ(problem_of(from + " WHERE x.result = 1"),
            "line 1, column 39: behind MethodInvocation comes an identifier; here is WHERE");
  EXPECT_EQ(problem_of(from + " x, WHERE x.result = 1"),
            "line 1, column 42: FROM names MethodInvocation or ObjectAllocation, and an identifier "
            "behind it; here is WHERE");
  const std::string where = "behind WHERE come predicates, as x.methodName = 'find'; ";
  EXPECT_EQ(problem_of(from + " x WHERE"), "line 1, column 46: " + where + "the query ends here");
  EXPECT_EQ(problem_of(from + " x WHERE LIMIT 3"), "line 1, column 47: " + where + "here is LIMIT");
  EXPECT_EQ(problem_of(from + " x WHERE AND x.result = 1"),
            "line 1, column 47: " + where + "here is AND");
  EXPECT_EQ(problem_of(from + " x WHERE x.result = 1 AND;"),
            "line 1, column 63: behind AND comes one more predicate; here is ;");
  EXPECT_EQ(
      problem_of(
          "SELECT from.result, where.result FROM MethodInvocation from, MethodInvocation where "
          "WHERE where.result = from.result"),
      "right");
}

TEST(PtqlParser, SaysWhereQuotesAreMissing) {
  EXPECT_EQ(predicate_problem("x.implementingClass = java.util.ArrayList"),
            "line 2, column 23: FROM has no identifier java; a text is between quotes: "
            "'java.util.ArrayList'");
  for (const char* quote : {"`", "\u2018", "\u201c"}) {
    EXPECT_TRUE(predicate_problem("x.methodName = " + std::string(quote) + "find")
                    .ends_with("; texts are between ' and ', or \" and \""))
        << quote;
  }
  EXPECT_TRUE(predicate_problem("x.result = 1 && x.param0 = 2")
                  .ends_with("; predicates have AND between them"));
  EXPECT_NE(predicate_problem("x.result = 1 || x.param0 = 2").find("; there is no OR"),
            std::string::npos);
}

TEST(PtqlParser, SaysWhereAQueryIsNotOne) {
  EXPECT_EQ(problem_of(""), "line 1, column 1: a query begins with SELECT; the query ends here");
  EXPECT_EQ(problem_of("SELEC x.startTime"),
            "line 1, column 1: a query begins with SELECT; here is SELEC");
  EXPECT_EQ(problem_of("SELECT x FROM MethodInvocation x"),
            "line 1, column 10: behind an identifier comes a dot and a field, as in x.startTime; "
            "here is FROM");
  EXPECT_EQ(problem_of("SELECT x.startTime"),
            "line 1, column 19: behind what is selected comes FROM; the query ends here");
  EXPECT_EQ(problem_of("SELECT x.startTime FROM MethodInvokation x"),
            "line 1, column 25: no relation MethodInvokation; did you mean MethodInvocation?");
  EXPECT_EQ(problem_of("SELECT x.startTime FROM MethodInvocation"),
            "line 1, column 41: behind MethodInvocation comes an identifier; the query ends here");
  EXPECT_EQ(problem_of("SELECT x.startTime FROM MethodInvocation x, ObjectAllocation x"),
            "line 1, column 62: there are two identifiers x");
  EXPECT_EQ(problem_of("SELECT DISTINCT x.result FROM MethodInvocation x"),
            "line 1, column 8: there is no DISTINCT: answers are a set, so equal ones are given "
            "once; here is DISTINCT");
  EXPECT_EQ(problem_of("SELECT x.result FROM MethodInvocation AS x"),
            "line 1, column 39: there is no AS: the identifier follows at once, as in "
            "MethodInvocation x");
  EXPECT_EQ(
      problem_of("SELECT x.result FROM MethodInvocation x ORDER BY x.result WHERE x.result = 1"),
      "line 1, column 59: behind FROM come WHERE, GROUP BY, HAVING, ORDER BY and LIMIT, once "
      "each and in this order; here is WHERE");
  EXPECT_EQ(predicate_problem("x.methodName = nap"),
            "line 2, column 16: behind an identifier comes a dot and a field, as in x.startTime; a "
            "text is between quotes: 'nap'");
  EXPECT_EQ(predicate_problem("x.methodName < 5"),
            "line 2, column 1: the left side is a string, the right side a number: they are in no "
            "order");
  EXPECT_EQ(problem_of("SELECT x.startTime FROM NEGATIVE MethodInvocation x"),
            "line 1, column 51: all identifiers are NEGATIVE; one at least must be there to be "
            "found");
  EXPECT_EQ(problem_of("SELECT x.startTime FROM MethodInvocation x WERE x.result = 1"),
            "line 1, column 44: nothing more is expected; did you mean WHERE?; here is WERE");
  EXPECT_EQ(predicate_problem("x.result = 'a"),
            "line 2, column 12: the string that begins here does not end; a quote in a string is "
            "doubled: 'it''s'");
  EXPECT_EQ(predicate_problem("x.result ! 1"), "line 2, column 10: a ! means nothing here");
  EXPECT_EQ(predicate_problem("x.result = \xff"), "line 2, column 12: the byte here is no UTF-8");
  EXPECT_EQ(
      predicate_problem("x.result 5"),
      "line 2, column 10: a predicate compares by <, <=, =, !=, >=, >, =~, !~ or GLOB; here is 5");
  EXPECT_EQ(predicate_problem("x.result = 99999999999999999999"),
            "line 2, column 12: a number without a point has 64 bits at most");
  EXPECT_EQ(predicate_problem("x.result = 1 OR x.result = 2"),
            "line 2, column 14: there is no OR; ask a query for each, or use =~ 'a|b' for names");
  EXPECT_EQ(predicate_problem("NOT x.result = 1"),
            "line 2, column 1: there is no NOT; a NEGATIVE identifier, !~ or !=; here is NOT");
  EXPECT_EQ(predicate_problem("x.result = 1 LIMIT 0"),
            "line 2, column 20: behind LIMIT comes a number of answers, at least 1; here is 0");
}

TEST(PtqlParser, SaysWhatStandsInPlaceOfWordsOfSql) {
  EXPECT_EQ(problem_of("SELECT x.result FROM MethodInvocation x join MethodInvocation y"),
            "line 1, column 41: there is no JOIN: sources stand behind FROM with commas between "
            "them, and what ties them behind WHERE; here is join");
  EXPECT_EQ(problem_of("SELECT max(x.result) FROM MethodInvocation x"),
            "line 1, column 8: COUNT(*) is the one function of what is found; here is max");
  EXPECT_EQ(predicate_problem("x.methodName LIKE 'get%'"),
            "line 2, column 14: there is no LIKE: x.methodName GLOB 'get*', or =~ 'get.*'; here is "
            "LIKE");
  EXPECT_EQ(predicate_problem("x.thrown IS NULL"),
            "line 2, column 10: there is no IS: x.thrown = null, or != null; here is IS");
  EXPECT_EQ(predicate_problem("(x.result = 1)"),
            "line 2, column 1: predicates stand without brackets: all of them hold; here is (");
  EXPECT_EQ(problem_of("SELECT in.result FROM MethodInvocation in WHERE in.result = 5"), "right");
}

TEST(PtqlParser, CountsColumnsInCharacters) {
  EXPECT_EQ(predicate_problem("x.methodName = 'größe' AND x.y = 1"),
            "line 2, column 30: no field y; there are startTime, endTime, realStartTime, "
            "realEndTime, methodName, declaringClass, implementingClass, receiver, thread, "
            "thread.name, parameters, param0, param0.text, param0.value, result, result.text, "
            "result.value, result.ignored, thrown, thrown.type, caller, context");
}

TEST(PtqlParser, RefusesComparisonsThatNeverHold) {
  EXPECT_EQ(predicate_problem("x.methodName = 5"),
            "line 2, column 1: the left side is a string, the right side a number: they are never "
            "equal");
  EXPECT_EQ(predicate_problem("x.thread = 'main'"),
            "line 2, column 1: the left side is an object, the right side a string: they are never "
            "equal; the name of a thread is x.thread.name");
  EXPECT_EQ(predicate_problem("'main' != o.allocThread"),
            "line 2, column 1: the left side is a string, the right side an object: they are never "
            "equal; the name of a thread is o.allocThread.name");
  EXPECT_EQ(predicate_problem("x.thrown = 'java.io.IOException'"),
            "line 2, column 1: the left side is an object, the right side a string: they are never "
            "equal; the class of an exception is x.thrown.type");
  EXPECT_EQ(
      predicate_problem("o.receiver = 5"),
      "line 2, column 1: the left side is an object, the right side a number: they are never "
      "equal; o is an allocation, before its object has a value: compare what methods have, as "
      "m.param0 or m.receiver");
  EXPECT_EQ(
      predicate_problem("x.param0.value = 'tea'"),
      "line 2, column 1: the left side is a number or true or false, the right side a string: "
      "they are never equal");
  EXPECT_EQ(predicate_problem("x.startTime != true"),
            "line 2, column 1: the left side is a number, the right side true or false: they are "
            "never equal");
  EXPECT_EQ(predicate_problem("x.receiver < o.receiver"),
            "line 2, column 1: an object has no order: only = and != compare it");
  EXPECT_EQ(predicate_problem("x.methodName + 1 = x.result"),
            "line 2, column 1: + and - take numbers, and one of these is a string");
  EXPECT_EQ(predicate_problem("1 = 1"), "line 2, column 1: the predicate names no field");
  EXPECT_EQ(predicate_problem("x.startTime =~ '1.*'"),
            "line 2, column 1: =~ and GLOB take a field that is a string");
  EXPECT_EQ(predicate_problem("under(x.methodName, 'a')"),
            "line 2, column 1: under() takes a context, as in under(x.context, 'shop.**')");
  EXPECT_EQ(predicate_problem("x.methodName =~ 'a(b'"),
            "line 2, column 19: regular expression: this ( is not closed");
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
  EXPECT_EQ(problem_of("SELECT n.startTime" + from),
            "line 1, column 8: n is NEGATIVE: an answer has no such record to select of");
  EXPECT_EQ(problem_of("SELECT x.startTime" + from + " WHERE n.startTime < m.startTime"),
            "line 1, column 108: a predicate names one NEGATIVE identifier at most");
}

TEST(PtqlParser, RefusesGroupsThatSayTooLittle) {
  EXPECT_EQ(problem_of("SELECT x.methodName, COUNT(*) FROM MethodInvocation x"),
            "line 1, column 54: x.methodName is selected beside COUNT(*) or groups; put it behind "
            "GROUP BY");
  EXPECT_EQ(problem_of("SELECT COUNT(*) FROM MethodInvocation x GROUP BY x.thread"),
            "line 1, column 50: x.thread is not selected; put it behind SELECT");
  EXPECT_EQ(problem_of("SELECT x.thread FROM MethodInvocation x ORDER BY x.startTime"),
            "line 1, column 50: x.startTime is not selected; put it behind SELECT");
  EXPECT_EQ(problem_of("SELECT COUNT(x.thread) FROM MethodInvocation x"),
            "line 1, column 14: COUNT counts what was found: COUNT(*); here is x");
  const std::string having = "SELECT x.thread FROM MethodInvocation x GROUP BY x.thread HAVING ";
  EXPECT_EQ(problem_of(having + "x.thread > 1"),
            "line 1, column 66: HAVING compares the size of groups: COUNT(*) > 1; here is x");
  EXPECT_EQ(problem_of(having + "COUNT(*) =~ 1"),
            "line 1, column 75: behind COUNT(*) comes a comparison; here is =~");
  EXPECT_EQ(problem_of(having + "COUNT(*) > x"),
            "line 1, column 77: COUNT(*) is compared with a number; here is x");
  EXPECT_EQ(problem_of(having + "COUNT(*) > 1.5"), "line 1, column 77: COUNT(*) is a whole number");
  EXPECT_EQ(problem_of("SELECT x.thread FROM MethodInvocation x HAVING COUNT(*) > 1"),
            "line 1, column 41: x.thread is selected beside COUNT(*) or groups; put it behind "
            "GROUP BY");
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
  EXPECT_EQ(problem_of("SELECT a0.startTime FROM " + from),
            "line 1, column 385: a query has at most 16 identifiers");
  EXPECT_EQ(problem_of(std::string(70'000, ' ')),
            "line 1, column 1: a query is at most 64 KiB long");
}

}  // namespace
}  // namespace copse::ptql
