// The examples of the report and what its words make of the other queries; where the report's own
// form of a rule gives something else, published_rules_test.cpp shows it.
#include "ptql/plan/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/ptql_queries.h"

namespace copse::ptql {
namespace {

using testing::plan_of;
using testing::post_dominator_text;
using testing::unclosed_text;

std::string full_text(const Plan& plan, std::size_t strategy = 0) {
  return edges_text(plan.query, plan.strategies[strategy].full);
}

std::string post_dominators(const Plan& plan) {
  std::string text;
  for (std::size_t i = 0; i < plan.strategies.size(); ++i) {
    text += (i == 0 ? "" : " ") + post_dominator_text(plan, i);
  }
  return text;
}

std::vector<std::string> contradiction(const Plan& plan) {
  std::vector<std::string> texts;
  for (const std::size_t i : plan.contradiction) texts.push_back(plan.query.predicates[i].text);
  return texts;
}

TEST(PtqlPlan, AnswersWhetherATransactionSleepsWhenSleepStarts) {
  const Plan plan = plan_of(testing::kTransactionSleeps);
  EXPECT_EQ(full_text(plan),
            "d.START < d.END, d.START < s.START, d.START < s.END, s.START < d.END, "
            "s.START < s.END, s.END < d.END");
  EXPECT_EQ(unclosed_text(plan), "d.START < s.START, s.START < d.END");
  EXPECT_EQ(post_dominators(plan), "s.START");
  // The end of a transaction is checked against what is never stored, and so its record goes.
  ASSERT_EQ(plan.strategies[0].checks.size(), 1u);
  EXPECT_EQ(plan.strategies[0].checks[0].at, (Node{0, true}));
  EXPECT_TRUE(plan.strategies[0].checks[0].never);
  EXPECT_EQ(plan.filter.methods({"doTransaction", "DB", "DB", 0, false, true}), set_of(0));
  EXPECT_EQ(plan.filter.methods({"sleep", "B", "B", 0, false, true}), set_of(1));
  EXPECT_EQ(plan.filter.methods({"y", "B", "B", 0, false, true}), 0u);
}

TEST(PtqlPlan, AnswersOnHashCodesWhenTheObjectDies) {
  const Plan plan = plan_of(testing::kHashCodeConsistent);
  EXPECT_EQ(unclosed_text(plan),
            "first.END < obj.END, second.END < obj.END, obj.START < first.START, "
            "obj.START < second.START");
  EXPECT_EQ(post_dominators(plan), "obj.END");
  EXPECT_TRUE(plan.identifiers[2].lazy);
}

TEST(PtqlPlan, SplitsEqualObjectsByTheOneThatDiesLast) {
  for (const std::string& text :
       {testing::equal_objects("true", "!="), testing::equal_objects("false", "=")}) {
    const Plan plan = plan_of(text);
    EXPECT_EQ(post_dominators(plan), "x.END y.END");
    EXPECT_TRUE(unclosed_text(plan, 0).ends_with("y.END <= x.END")) << "both may be one object";
    EXPECT_NE(unclosed_text(plan, 1).find("x.END < y.END"), std::string::npos);
  }
}

TEST(PtqlPlan, SplitsInThreeWhatHasNoObjects) {
  const Plan plan = plan_of(
      "SELECT eq.receiver FROM MethodInvocation eq, MethodInvocation xhc, MethodInvocation yhc "
      "WHERE eq.methodName = 'equals' AND xhc.methodName = 'hashCode' "
      "AND yhc.methodName = 'hashCode' AND eq.receiver = xhc.receiver "
      "AND eq.param0 = yhc.receiver AND eq.result = true AND xhc.result != yhc.result");
  EXPECT_EQ(post_dominators(plan), "eq.END xhc.END yhc.END");
}

TEST(PtqlPlan, AnswersOnChainsOfStringsWhenTheLastConstructorStarts) {
  const Plan two = plan_of(testing::string_concats(2));
  EXPECT_EQ(unclosed_text(two), "ts1.END < c1.START, c1.END < ts2.START, ts2.END < c2.START");
  EXPECT_EQ(post_dominators(two), "c2.START");
  EXPECT_TRUE(two.identifiers[1].may_be_constructor);
  EXPECT_EQ(post_dominators(plan_of(testing::string_concats(5))), "c5.START");
}

TEST(PtqlPlan, AnswersOnDelayedClosesWhenCloseStarts) {
  const Plan plan = plan_of(testing::kDelayedClose);
  EXPECT_EQ(unclosed_text(plan), "rw.END < close.START") << "from the real times alone";
  EXPECT_EQ(post_dominators(plan), "close.START");
  ASSERT_EQ(plan.strategies[0].negatives.size(), 1u);
  EXPECT_EQ(edges_text(plan.query, plan.strategies[0].negatives[0].unclosed),
            "rw.END < norw.END, norw.END < close.START");
}

TEST(PtqlPlan, AnswersOnCompareToWhenItIsKnown) {
  EXPECT_EQ(post_dominators(plan_of(testing::kCompareToReflexive)), "c.END");
  EXPECT_EQ(post_dominators(plan_of(testing::kCompareToAntisymmetric)), "b.END");
  EXPECT_EQ(post_dominators(plan_of(testing::kCompareToTransitive)), "xy.END");
}

TEST(PtqlPlan, NamesTheFewestPredicatesThatContradict) {
  EXPECT_EQ(contradiction(plan_of("SELECT x.startTime FROM MethodInvocation x, MethodInvocation y "
                                  "WHERE x.methodName = 'a' AND x.endTime < y.startTime "
                                  "AND x.thread = y.thread AND y.endTime < x.startTime")),
            (std::vector<std::string>{"x.endTime < y.startTime", "y.endTime < x.startTime"}));
  // Only because methods of one thread are nested.
  EXPECT_EQ(contradiction(plan_of("SELECT x.startTime FROM MethodInvocation x, MethodInvocation y "
                                  "WHERE x.startTime < y.startTime AND y.startTime < x.endTime "
                                  "AND x.endTime < y.endTime AND x.thread = y.thread")),
            (std::vector<std::string>{"x.startTime < y.startTime", "y.startTime < x.endTime",
                                      "x.endTime < y.endTime", "x.thread = y.thread"}));
  // An object cannot be a receiver after its death.
  EXPECT_EQ(contradiction(plan_of("SELECT x.startTime FROM MethodInvocation x, ObjectAllocation o "
                                  "WHERE x.receiver = o.receiver AND x.startTime > o.endTime")),
            (std::vector<std::string>{"x.receiver = o.receiver", "x.startTime > o.endTime"}));
}

TEST(PtqlPlan, DrawsNoConclusionForOthersFromANegativeIdentifier) {
  const Plan plan = plan_of(
      "SELECT x.startTime FROM MethodInvocation x, NEGATIVE MethodInvocation n, MethodInvocation y "
      "WHERE x.endTime < n.startTime AND n.endTime < y.startTime");
  EXPECT_EQ(plan.strategies[0].full.order({0, true}, {2, false}), Order::kUnknown);
}

TEST(PtqlPlan, LeavesOutANegativeIdentifierThatNothingCanBe) {
  const Plan plan = plan_of(
      "SELECT x.startTime FROM MethodInvocation x, NEGATIVE MethodInvocation n "
      "WHERE x.endTime < n.startTime AND n.endTime < x.startTime");
  EXPECT_TRUE(plan.contradiction.empty());
  EXPECT_TRUE(plan.strategies[0].negatives.empty());
  EXPECT_EQ(post_dominators(plan), "x.START");
}

TEST(PtqlPlan, WaitsForTheEndWhereANegativeRecordCanComeAtAnyTime) {
  EXPECT_EQ(post_dominators(plan_of("SELECT x.startTime FROM MethodInvocation x, NEGATIVE "
                                    "MethodInvocation n WHERE x.param0 = n.param0")),
            "none");
}

TEST(PtqlPlan, PutsMethodsIntoOneThreadThroughOtherFields) {
  const Plan plan = plan_of(
      "SELECT x.startTime FROM MethodInvocation x, MethodInvocation y, ObjectAllocation o "
      "WHERE x.thread = o.allocThread AND o.allocThread = y.thread AND x.startTime < y.startTime "
      "AND y.startTime < x.endTime");
  EXPECT_EQ(plan.same_thread[0], set_of(1));
  EXPECT_EQ(plan.strategies[0].full.order({1, true}, {0, true}), Order::kBefore);
}

TEST(PtqlPlan, KnowsAConstructorsReceiverAtItsEndAlone) {
  const std::string rest = "AND m.receiver = o.receiver";
  const std::string from =
      "SELECT m.startTime FROM MethodInvocation m, ObjectAllocation o WHERE m.methodName ";
  const Plan constructor = plan_of(from + "= '<init>' " + rest);
  EXPECT_EQ(constructor.strategies[0].full.order({1, false}, {0, false}), Order::kUnknown);
  EXPECT_EQ(constructor.strategies[0].full.order({1, false}, {0, true}), Order::kBefore);
  const Plan other = plan_of(from + "= 'run' " + rest);
  EXPECT_EQ(other.strategies[0].full.order({1, false}, {0, false}), Order::kBefore);
  EXPECT_TRUE(plan_of(from + "!= 'run' " + rest).identifiers[0].may_be_constructor);
}

TEST(PtqlPlan, IsLazyOnlyAboutObjectsOfWhichNothingElseIsAsked) {
  const std::string from = "FROM MethodInvocation m, ObjectAllocation o WHERE m.methodName = 'a' ";
  EXPECT_TRUE(
      plan_of("SELECT o.dynamicType " + from + "AND m.param0 = o.receiver").identifiers[1].lazy);
  EXPECT_FALSE(
      plan_of("SELECT o.allocThread " + from + "AND m.param0 = o.receiver").identifiers[1].lazy);
  EXPECT_FALSE(
      plan_of("SELECT o.receiver " + from + "AND m.startTime < o.startTime").identifiers[1].lazy);
  EXPECT_FALSE(
      plan_of("SELECT o.receiver " + from + "AND m.thread = o.receiver").identifiers[1].lazy);
}

TEST(PtqlPlan, JoinsByAnIndexWhereThereIsOne) {
  const Plan plan = plan_of(
      "SELECT a.startTime FROM MethodInvocation a, MethodInvocation b, MethodInvocation c "
      "WHERE a.startTime < c.startTime AND b.startTime < c.startTime AND b.thread = c.thread "
      "AND a.param0 = b.param0 AND a.result < 5 AND a.endTime < c.startTime");
  ASSERT_EQ(plan.strategies.size(), 1u);
  const std::vector<JoinStep>& joins = plan.strategies[0].joins.at(0);
  ASSERT_EQ(joins.size(), 2u);
  EXPECT_EQ(joins[0].identifier, 1u);
  EXPECT_EQ(joins[0].lookup.probes.at(0).indexed.field, Field::kThread);
  EXPECT_EQ(joins[1].identifier, 0u);
  EXPECT_EQ(joins[1].lookup.probes.at(0).indexed.field, Field::kParam);
}

std::vector<Field> fields_of_lookup(const Lookup& lookup) {
  std::vector<Field> fields;
  for (const Probe& probe : lookup.probes) fields.push_back(probe.indexed.field);
  return fields;
}

TEST(PtqlPlan, LooksUpByAllFieldsThatAreEqual) {
  const Plan plan = plan_of(
      "SELECT a.startTime FROM MethodInvocation a, MethodInvocation b "
      "WHERE a.endTime < b.startTime AND a.receiver = b.receiver AND a.param0 = b.param0 "
      "AND a.methodName = b.methodName AND a.implementingClass GLOB 'p.*'");
  ASSERT_EQ(plan.strategies.size(), 1u);
  const Strategy& strategy = plan.strategies[0];
  ASSERT_EQ(strategy.joins.size(), 1u);
  // Not by the name: its text costs more than it tells.
  const std::vector<Field> both = {Field::kReceiver, Field::kParam};
  EXPECT_EQ(fields_of_lookup(strategy.joins[0].at(0).lookup), both);
}

TEST(PtqlPlan, LooksUpByTextsThatAreEqual) {
  const Plan plan = plan_of(
      "SELECT a.startTime FROM MethodInvocation a, MethodInvocation b "
      "WHERE a.endTime < b.startTime AND a.receiver = b.receiver "
      "AND a.result.text = b.param1.text");
  const std::vector<Field> both = {Field::kReceiver, Field::kResultText};
  EXPECT_EQ(fields_of_lookup(plan.strategies.at(0).joins.at(0).at(0).lookup), both);
}

TEST(PtqlPlan, ChecksEvidenceByAllFieldsThatAreEqual) {
  const Plan plan = plan_of(
      "SELECT a.startTime FROM MethodInvocation a, MethodInvocation b, MethodInvocation c "
      "WHERE a.endTime < b.startTime AND a.param1 = b.param1 AND a.param0 = b.param0 "
      "AND b.endTime < c.startTime");
  ASSERT_EQ(plan.strategies.size(), 1u);
  const Strategy& strategy = plan.strategies[0];
  ASSERT_EQ(strategy.checks.size(), 1u);
  const EvidenceCheck& check = strategy.checks[0];
  ASSERT_EQ(check.lookup.probes.size(), 2u);
  ASSERT_EQ(check.supported.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(check.lookup.probes[i].indexed.parameter, i);
    EXPECT_EQ(check.supported[i].field.parameter, i) << "in the same order";
  }
  EXPECT_EQ(strategy.indexes[check.at.identifier].at(check.supported_index), check.supported);
}

TEST(PtqlPlan, MayBeginWithEachTableThatTheLastRecordLeadsInto) {
  const Plan plan = plan_of(
      "SELECT a.startTime FROM MethodInvocation a, MethodInvocation b, MethodInvocation c "
      "WHERE a.startTime < c.startTime AND b.startTime < c.startTime "
      "AND a.receiver = c.receiver AND b.thread = c.thread AND a.param0 = b.param0 "
      "AND a.endTime < c.startTime");
  const auto& joins = plan.strategies.at(0).joins;
  ASSERT_EQ(joins.size(), 2u);
  EXPECT_EQ(joins[0].at(0).identifier, 0u) << "objects are more than threads";
  EXPECT_EQ(joins[1].at(0).identifier, 1u);
}

// Ways back of an identifier's step, in the only order of the joins.
std::vector<std::string> ways_back(const Plan& plan, std::uint32_t identifier) {
  std::vector<std::string> texts;
  for (const JoinStep& step : plan.strategies.at(0).joins.at(0)) {
    if (step.identifier != identifier) continue;
    for (const TimingEdge& edge : step.lookup.back_to) {
      texts.push_back(node_text(plan.query, edge.from) + " to " + node_text(plan.query, edge.to));
    }
  }
  return texts;
}

TEST(PtqlPlan, WalksBackThroughRecordsInTheOrderInWhichTheirKeysAreKnown) {
  const auto plan_with = [](const std::string& from, const std::string& equality) {
    return plan_of("SELECT c.startTime FROM " + from +
                   " c, MethodInvocation o, MethodInvocation u "
                   "WHERE u.receiver = o.result AND o.endTime < c.startTime "
                   "AND c.startTime < u.startTime AND " +
                   equality);
  };
  const std::string change = "c.receiver = o.receiver AND c.methodName = 'add'";
  const std::vector<std::string> by_start = {"o.END to c.START"};
  EXPECT_EQ(ways_back(plan_with("MethodInvocation", change), 0), by_start);
  const std::vector<std::string> by_end = {"o.END to c.END"};
  const std::string given = "c.result = o.receiver AND c.endTime < u.startTime";
  EXPECT_EQ(ways_back(plan_with("MethodInvocation", given), 0), by_end);
  const std::string any = "c.receiver = o.receiver AND c.endTime < u.startTime";
  EXPECT_TRUE(ways_back(plan_with("MethodInvocation", any), 0).empty())
      << "a constructor's receiver is known later than another method's";
  EXPECT_TRUE(ways_back(plan_with("ObjectAllocation", "c.receiver = u.param0"), 0).empty())
      << "objects may be told of late";
}

TEST(PtqlPlan, LooksForNegativeRecordsOnceAllTheyAreAboutIsThere) {
  const Plan plan = plan_of(
      "SELECT a.startTime "
      "FROM MethodInvocation a, MethodInvocation b, MethodInvocation c, NEGATIVE MethodInvocation "
      "n "
      "WHERE a.endTime < c.startTime AND b.endTime < c.startTime AND a.receiver = c.receiver "
      "AND a.param0 = b.param0 AND n.receiver = a.receiver AND a.endTime < n.startTime "
      "AND n.endTime < c.startTime");
  const std::vector<JoinStep>& joins = plan.strategies.at(0).joins.at(0);
  ASSERT_EQ(joins.size(), 3u);
  EXPECT_EQ(joins[0].identifier, 0u);
  EXPECT_EQ(joins[1].identifier, 3u);
  EXPECT_EQ(joins[2].identifier, 1u);
}

TEST(PtqlPlan, HasNoIndexWhereStringsMeetObjects) {
  const Plan plan = plan_of(
      "SELECT a.startTime FROM MethodInvocation a, MethodInvocation b "
      "WHERE a.startTime < b.startTime AND a.methodName = b.param0");
  EXPECT_TRUE(plan.strategies[0].joins.at(0).at(0).lookup.probes.empty());
}

TEST(PtqlPlan, PlansSixteenIdentifiersInReasonableTime) {
  std::string from = "SELECT a0.startTime FROM MethodInvocation a0";
  std::string where = " WHERE a0.methodName = 'm'";
  for (int i = 1; i < 16; ++i) {
    from += ", MethodInvocation a" + std::to_string(i);
    where += " AND a" + std::to_string(i - 1) + ".startTime < a" + std::to_string(i) + ".startTime";
  }
  EXPECT_EQ(post_dominators(plan_of(from + where)), "a15.START");
}

}  // namespace
}  // namespace copse::ptql
