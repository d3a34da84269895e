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

// Of "SELECT x.startTime FROM MethodInvocation x WHERE ...", whose predicates begin in column 1 of
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
            "hashCodeClass, receiver, context");
  EXPECT_EQ(predicate_problem("x.param01 = 1"),
            "line 2, column 3: no field param01; did you mean param0?");
  EXPECT_EQ(predicate_problem("x.param0.txt = 'tea'"),
            "line 2, column 3: no field param0.txt; did you mean param0.text?");
  EXPECT_EQ(predicate_problem("x.param01.text = 'tea'"),
            "line 2, column 3: no field param01.text; did you mean param0.text?");
  EXPECT_EQ(predicate_problem("y.startTime = 1"),
            "line 2, column 1: FROM has no identifier y; did you mean x?");
  EXPECT_EQ(problem_of("SELECT y.startTime FROM MethodInvocation abc"),
            "line 1, column 8: FROM has no identifier y");
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
            "line 2, column 12: the string that begins here does not end");
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
            "thread.name, param0, param0.text, result, result.text, thrown, thrown.type, "
            "context");
}

TEST(PtqlParser, RefusesComparisonsThatNeverHold) {
  EXPECT_EQ(predicate_problem("x.methodName = 5"),
            "line 2, column 1: the left side is a string, the right side a number: they are never "
            "equal");
  EXPECT_EQ(predicate_problem("x.thread = 'main'"),
            "line 2, column 1: the left side is an object, the right side a string: they are never "
            "equal; the name of a thread is its field name, as in x.thread.name");
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
