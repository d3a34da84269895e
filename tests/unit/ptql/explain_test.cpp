#include "ptql/plan/explain.h"

#include <gtest/gtest.h>

#include "support/ptql_queries.h"

namespace copse::ptql {
namespace {

TEST(PtqlExplain, SaysAllThatWasDecided) {
  EXPECT_EQ(explain(testing::plan_of(testing::kTransactionSleeps + " LIMIT 3")),
            R"(Query
  SELECT d.startTime, s.startTime
  FROM MethodInvocation d, MethodInvocation s
  WHERE d.methodName = 'doTransaction'
    AND d.declaringClass = 'DB'
    AND s.methodName = 'sleep'
    AND s.declaringClass = 'B'
    AND d.thread = s.thread
    AND d.startTime < s.startTime
    AND s.endTime < d.endTime
  LIMIT 3

Static filter: what gets probes
  d: methods, where d.methodName = 'doTransaction', d.declaringClass = 'DB'
  s: methods, where s.methodName = 'sleep', s.declaringClass = 'B'

Dynamic filter: what is tested on one record
  nothing

What records keep, besides their times
  d: thread
  s: thread

Timing graph: the order of events in every answer
  d.START < s.START               d.startTime < s.startTime
  s.END < d.END                   s.endTime < d.endTime
  d.START < d.END                 a START is before its END
  s.START < s.END                 a START is before its END
  d.START < s.END                 follows
  s.START < d.END                 follows

How it is answered
  unclosed graph: d.START < s.START, s.START < d.END
  post-dominator: s.START; all that an answer needs is known then
  join 1: d, by its index on d.thread; tested: d.thread = s.thread, d.START < s.START, s.START < d.END
  table d:
    at d.END a record leaves: it needs s.START before, whose answers are out
  table s: none; a record has given its answers when it starts
)");
}

TEST(PtqlExplain, SaysWhatSupportsARecord) {
  const std::string text = explain(testing::plan_of(testing::kDelayedClose));
  EXPECT_NE(text.find("  and for norw: rw.END < norw.END, norw.END < close.START\n"),
            std::string::npos);
  EXPECT_NE(text.find("  join 2: no record of norw, by its index on norw.receiver; tested: "),
            std::string::npos);
  EXPECT_NE(text.find("  table rw:\n    a record leaves when one of norw that rules it out ends"),
            std::string::npos);
  EXPECT_NE(text.find("    at norw.END a record stays if there is a record of rw whose END has "
                      "happened, where rw.receiver = norw.receiver\n"
                      "      after it, it leaves when the last record of rw with this receiver "
                      "has left\n"),
            std::string::npos)
      << text;
}

TEST(PtqlExplain, SaysWhereAWalkOverRecordsEnds) {
  const std::string text = explain(testing::plan_of(
      "SELECT c.startTime FROM MethodInvocation o, MethodInvocation c, MethodInvocation u "
      "WHERE c.receiver = o.receiver AND c.methodName = 'add' AND u.receiver = o.result "
      "AND o.endTime < c.startTime AND c.startTime < u.startTime"));
  EXPECT_NE(text.find("c, by its index on c.receiver, from the latest back to o.END; tested: "),
            std::string::npos)
      << text;
}

TEST(PtqlExplain, SaysWhyThereIsNoAnswer) {
  const std::string text = explain(testing::plan_of(
      "SELECT x.startTime FROM MethodInvocation x, MethodInvocation y "
      "WHERE x.endTime < y.startTime AND y.endTime < x.startTime AND x.methodName = 'a'"));
  EXPECT_TRUE(
      text.ends_with("No answer\n"
                     "  The predicates contradict each other, whatever runs:\n"
                     "    x.endTime < y.startTime\n"
                     "    y.endTime < x.startTime\n"))
      << text;
}

TEST(PtqlExplain, DrawsEachPartOfASplit) {
  const std::string dot =
      timing_graphs_as_dot(testing::plan_of(testing::equal_objects("true", "!=")));
  EXPECT_NE(dot.find("label=\"x.END is the last\""), std::string::npos);
  EXPECT_NE(dot.find("label=\"y.END is the last\""), std::string::npos);
  EXPECT_NE(dot.find("s0_3e [label=\"x.END\", peripheries=2]"), std::string::npos);
  EXPECT_NE(dot.find("s0_4e -> s0_3e [style=solid, label=\"<=\"]"), std::string::npos);
  EXPECT_TRUE(dot.ends_with("  }\n}\n"));
}

TEST(PtqlExplain, ShowsHostileNamesHarmless) {
  const std::string text = explain(testing::plan_of(
      "SELECT x.startTime FROM MethodInvocation x WHERE x.methodName = '\x1b[2J'"));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace copse::ptql
