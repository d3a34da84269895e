// The tables of the demo program (report_samples.h), whose contexts have these ids:
//
//   1 log 7
//   2 main 1 > 3 log@13 1 > 4 main 3
//            > 5 work@10 2 > 6 work@20 4
//            > 7 work@12 1000 > 8 log@21 2000
#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "report/model/display_names.h"
#include "report/model/model_builder.h"
#include "support/expect_fault.h"
#include "support/query_results.h"
#include "support/report_samples.h"
#include "support/small_report.h"

namespace copse::sql {
namespace {

using testing::AskedReports;

report::ReportModel demo() {
  testing::DemoProgram program = testing::demo_program();
  std::vector<std::uint64_t> waits;
  for (std::uint32_t node = 0; node < program.tree.node_count(); ++node) waits.push_back(node);
  program.tables.measures = {{"wait_ns", "ns", 5, waits}};
  return std::move(build_model(program.tree, std::move(program.tables))).value();
}

TEST(Contexts, AreRowsInPreOrderWithInclusiveSums) {
  AskedReports asked({demo()});
  EXPECT_EQ(asked.ask("SELECT id, parent, depth, calls, inclusive_calls, last_id FROM contexts"),
            "1,,1,7,7,1\n"
            "2,,1,1,3011,8\n"
            "3,2,2,1,4,4\n"
            "4,3,3,3,3,4\n"
            "5,2,2,2,6,6\n"
            "6,5,3,4,4,6\n"
            "7,2,2,1000,3000,8\n"
            "8,7,3,2000,2000,8\n");
}

TEST(Contexts, HaveAColumnAndItsInclusiveTwinForEachMeasure) {
  AskedReports asked({demo()});
  EXPECT_EQ(asked.ask("SELECT sum(wait_ns) FROM contexts"), "36\n");
  EXPECT_EQ(asked.ask("SELECT sum(inclusive_wait_ns) FROM contexts WHERE parent IS NULL"), "36\n");
  EXPECT_EQ(asked.ask("SELECT name, unit, total, lost FROM measures"), "wait_ns,ns,36,5\n");
}

TEST(Contexts, KnowTheirMethodAndCallSite) {
  AskedReports asked({demo()});
  EXPECT_EQ(asked.ask("SELECT id, name, line, package FROM named_contexts ORDER BY id LIMIT 5"),
            "1,demo.Log.log,,demo\n"
            "2,demo.Main.main,,demo\n"
            "3,demo.Log.log,13,demo\n"
            "4,demo.Main.main,,demo\n"
            "5,demo.Main.work,10,demo\n");
}

TEST(Contexts, OfAMethodAreFoundByItsName) {
  AskedReports asked({demo()});
  EXPECT_EQ(asked.ask("SELECT id FROM named_contexts WHERE name = 'demo.Main.work'"), "5\n6\n7\n");
  EXPECT_EQ(asked.ask("SELECT id FROM named_contexts WHERE name = 'demo.Main.WORK'"), "");
}

TEST(Contexts, OfWhatEventsWereAboutAreRowsOfKinds) {
  testing::SmallReport report;
  const std::int32_t main = report.node(0, report.method("a.A", "main"));
  report.node(main, report.method("", "new byte[]", "", ""), -1, 0, 0);
  const std::int32_t run = report.node(main, report.method("a.A", "run"), 3);
  report.node(run, report.method("", "throw a.Gone at a.A.run:7", "", ""), -1, 0, 0);
  report.node(run, 1, -1, 0, 0);
  report.model.measures = {{"allocated_bytes", "bytes", 0, {0, 0, 48, 0, 0, 16}},
                           {"exceptions", "events", 0, {0, 0, 0, 0, 5, 0}}};
  AskedReports asked({demo(), report.model});
  EXPECT_EQ(asked.ask("SELECT context - (SELECT min(id) - 1 FROM contexts WHERE report = 2), kind, "
                      "class, place, allocated_bytes, exceptions FROM kinds ORDER BY id"),
            "1,allocation,byte[],,48,0\n"
            "3,exception,a.Gone,a.A.run:7,0,5\n"
            "3,allocation,byte[],,16,0\n");
  EXPECT_EQ(asked.ask("SELECT count(*) FROM methods WHERE kind IS NULL AND object IS NULL AND "
                      "place IS NULL AND report = 2"),
            "2\n");
}

TEST(Contexts, AreWalkedByRecursiveQueries) {
  AskedReports asked({demo()});
  EXPECT_EQ(asked.ask("WITH RECURSIVE below(id) AS (SELECT 5 UNION ALL SELECT contexts.id FROM "
                      "contexts JOIN below ON contexts.parent = below.id) SELECT id FROM below"),
            "5\n6\n");
  EXPECT_EQ(asked.ask("WITH RECURSIVE up(id, parent) AS (SELECT id, parent FROM contexts WHERE id "
                      "= 8 UNION ALL SELECT c.id, c.parent FROM contexts c JOIN up ON c.id = "
                      "up.parent) SELECT id FROM up"),
            "8\n7\n2\n");
}

TEST(Contexts, AreGroupedByMethodInEitherOrder) {
  AskedReports asked({demo()});
  EXPECT_EQ(asked.ask("SELECT method, sum(calls) FROM contexts GROUP BY method"),
            "1,2008\n2,4\n3,1006\n");
  EXPECT_EQ(
      asked.ask("SELECT method, sum(calls) FROM contexts GROUP BY method ORDER BY method DESC"),
      "3,1006\n2,4\n1,2008\n");
  EXPECT_EQ(asked.ask("SELECT id FROM contexts ORDER BY id DESC LIMIT 2"), "8\n7\n");
}

TEST(Methods, HaveTheSumsOfTheirContexts) {
  AskedReports asked({demo()});
  EXPECT_EQ(asked.ask("SELECT id, name, class, method_name, descriptor, source, loader, calls, "
                      "inclusive_calls, contexts FROM methods"),
            "1,demo.Log.log,demo.Log,log,()V,Log.java,app,2008,2011,3\n"
            "2,demo.Main.main,demo.Main,main,([Ljava/lang/String;)V,Main.java,app,4,3011,2\n"
            "3,demo.Main.work,demo.Main,work,(I)I,Main.java,app,1006,3006,3\n");
}

TEST(Tables, HaveTheRunItsThreadsAndWhatWasSkipped) {
  AskedReports asked({demo()});
  EXPECT_EQ(asked.ask("SELECT report, file, command, calls, calls_seen, calls_lost, contexts, "
                      "wall_ms, snapshot, runs, calls_of FROM runs"),
            "1,report-1.json,java -cp x.jar demo.Main,3018,3020,2,8,12.5,,1,\n");
  EXPECT_EQ(asked.ask("SELECT thread_id, name, context, calls, threads FROM threads"),
            "1,main,2,3011,1\n12,logger,1,7,1\n");
  report::ReportModel timed = demo();
  const std::vector<std::uint64_t> none(timed.nodes.parent.size());
  timed.measures = {{"cpu_ns", "ns", 0, none, {5, 6}}, {"wall_ns", "ns", 0, none}};
  AskedReports asked_of_time({timed});
  EXPECT_EQ(asked_of_time.ask("SELECT name, cpu_ns, wall_ns FROM threads"), "main,5,\nlogger,6,\n");
  EXPECT_EQ(asked.ask("SELECT class, method, reason FROM skipped"),
            "demo.Huge,parse()V,too large\ndemo.Old,,jsr\n");
  EXPECT_EQ(asked.ask("SELECT name, value FROM options"), "engine,parallel\nsites,true\n");
}

TEST(Tables, OfSeveralReportsNumberTheirRowsOnceOverAll) {
  AskedReports asked({demo(), demo()});
  EXPECT_EQ(asked.ask("SELECT report, min(id), max(id), count(*), min(method), sum(calls) FROM "
                      "contexts GROUP BY report"),
            "1,1,8,8,1,3018\n2,9,16,8,4,3018\n");
  EXPECT_EQ(asked.ask("SELECT id, parent, last_id FROM contexts WHERE report = 2 AND depth < 3"),
            "9,,9\n10,,16\n11,10,12\n13,10,14\n15,10,16\n");
  EXPECT_EQ(asked.ask("SELECT context FROM threads WHERE report = 2"), "10\n9\n");
  EXPECT_EQ(asked.ask("SELECT path(14)"), "demo.Main.main:10;demo.Main.work:20;demo.Main.work\n");
}

TEST(Tables, OfReportsWithOtherMeasuresHaveNullForThem) {
  report::ReportModel without = demo();
  without.measures.clear();
  AskedReports asked({without, demo()});
  EXPECT_EQ(asked.ask("SELECT report, sum(wait_ns), sum(inclusive_wait_ns) IS NULL FROM contexts "
                      "GROUP BY report"),
            "1,,1\n2,36,0\n");
}

TEST(Tables, OfAReportWithoutContextsAreEmpty) {
  testing::SmallReport nothing;
  AskedReports asked({nothing.model});
  EXPECT_EQ(asked.ask("SELECT * FROM contexts"), "");
  EXPECT_EQ(asked.ask("SELECT * FROM contexts WHERE parent IS NULL"), "");
  EXPECT_EQ(asked.ask("SELECT count(*) FROM contexts GROUP BY method"), "");
  EXPECT_EQ(asked.ask("SELECT path(1) IS NULL, calls FROM runs"), "1,0\n");
}

TEST(Tables, HaveMeasuresUnderANameOfTheirOwn) {
  testing::SmallReport report;
  report.node(0, report.method("a.B", "f"));
  report.model.measures = {{"depth", "events", 0, {0, 3}},
                           {"Calls", "events", 0, {0, 4}},
                           {"a\"b", "events", 0, {0, 5}}};
  AskedReports asked({report.model});
  EXPECT_EQ(asked.ask("SELECT depth, depth_, calls, Calls_, \"a\"\"b\" FROM contexts"),
            "1,3,1,4,5\n");
}

TEST(Path, IsTheContextAsCollapsedTextHasIt) {
  AskedReports asked({demo()});
  EXPECT_EQ(asked.ask("SELECT path(6)"), "demo.Main.main:10;demo.Main.work:20;demo.Main.work\n");
  EXPECT_EQ(asked.ask("SELECT path(0) IS NULL, path(9) IS NULL, path(NULL) IS NULL, path('x') IS "
                      "NULL"),
            "1,1,1,1\n");
}

TEST(ContextId, IsTheSameInEveryReportAndFindsTheContext) {
  AskedReports asked({demo(), demo()});
  EXPECT_EQ(asked.ask("SELECT count(*), count(DISTINCT context_id), min(length(context_id)) FROM "
                      "contexts"),
            "16,8,32\n");
  EXPECT_EQ(asked.ask("SELECT b.id FROM contexts a JOIN contexts b USING (context_id) WHERE a.id = "
                      "6 ORDER BY 1"),
            "6\n14\n");
  EXPECT_EQ(asked.ask("SELECT path(context_id), under(context_id, 'demo.Log'), "
                      "calls_under(context_id, 'demo.Log') FROM contexts WHERE id = 7"),
            "demo.Main.main:12;demo.Main.work,0,2000\n");
  EXPECT_EQ(asked.ask("SELECT id FROM contexts WHERE context_id IN ('', 'x', '" +
                      std::string(32, '0') + "', '" + std::string(32, 'F') + "')"),
            "");
  EXPECT_EQ(asked.ask("SELECT path('" + std::string(32, '0') + "') IS NULL"), "1\n");
}

TEST(ContextId, OfASumIsByTheRulesThatItWasMergedBy) {
  const auto ids_of = [](const std::string& rules) {
    report::ReportModel sum = demo();
    sum.merged = {2, {"a", "b"}, rules};
    AskedReports asked({sum});
    return asked.ask("SELECT count(DISTINCT context_id), min(context_id) FROM contexts");
  };
  AskedReports single({demo()});
  const std::string by_default =
      single.ask("SELECT count(DISTINCT context_id), min(context_id) FROM contexts");
  EXPECT_EQ(ids_of("copse.context/1 sites=bci names=normalised"), by_default);
  EXPECT_NE(ids_of("copse.context/1 sites=line names=normalised"), by_default);
  // Whoever calls from whichever place is one: work below main is there once.
  EXPECT_TRUE(ids_of("copse.context/1 sites=none names=exact").starts_with("7,"));
}

TEST(ContextId, OfASumByOtherRulesIsNotMadeUp) {
  report::ReportModel sum = demo();
  sum.merged = {2, {"a", "b"}, "copse.context/2 sites=some"};
  EXPECT_FAULT(Reports::make({{"sum.json", &sum}}), kRefused,
               "sum.json: ", "copse.context/2 sites=some");
}

TEST(Under, HoldsForContextsThroughAMethodThatMatches) {
  AskedReports asked({demo()});
  EXPECT_EQ(asked.ask("SELECT id FROM contexts WHERE under(id, 'demo.Main.work')"), "5\n6\n7\n8\n");
  EXPECT_EQ(asked.ask("SELECT id FROM contexts WHERE under(id, 'demo.Log')"), "1\n3\n4\n8\n");
  EXPECT_EQ(asked.ask("SELECT under(8, 'demo.*.log'), under(7, 'demo.*.log'), under(99, "
                      "'demo.Log') IS NULL"),
            "1,0,1\n");
}

TEST(Under, SaysWhichGlobMatchesNothing) {
  AskedReports asked({demo()});
  EXPECT_FAULT(asked.run("SELECT under(1, 'Mian')"), kMalformed, "glob Mian: ", "Main?");
}

TEST(CallsUnder, SumsTheCallsOfMethodsBelowAContext) {
  AskedReports asked({demo()});
  EXPECT_EQ(asked.ask("SELECT id, calls_under(id, 'demo.Log') FROM contexts"),
            "1,7\n2,2001\n3,1\n4,0\n5,0\n6,0\n7,2000\n8,2000\n");
  EXPECT_EQ(asked.ask("SELECT calls_under(2, 'demo.Main.work')"), "1006\n");
}

TEST(Reports, WithMoreCallsThanSqlCountsToAreRefused) {
  testing::SmallReport report;
  report.node(0, report.method("a.B", "f"), -1, 0, std::numeric_limits<std::uint64_t>::max() / 2);
  EXPECT_TRUE(Reports::make({{"a.json", &report.model}}).ok());
  AskedReports asked({report.model});
  EXPECT_EQ(asked.ask("SELECT calls, inclusive_calls FROM contexts"),
            "9223372036854775807,9223372036854775807\n");
  report.node(0, 0);
  EXPECT_FAULT(Reports::make({{"a.json", &report.model}}), kLimit,
               "a.json: ", "9223372036854775808 calls");
}

// main (1) -> f (10 ns) -> f (20) -> g (5); main -> g (7). Recursion counts once.
TEST(Methods, HaveEveryMeasureAndItsInclusiveAmount) {
  testing::SmallReport report;
  const std::int32_t main = report.method("a.A", "main");
  const std::int32_t f = report.method("a.A", "f");
  const std::int32_t g = report.method("a.A", "g");
  const std::int32_t root = report.node(0, main, -1, 0, 1);
  const std::int32_t outer = report.node(root, f, 1, 1, 1);
  const std::int32_t inner = report.node(outer, f, 2, 2, 1);
  report.node(inner, g, 2, 3, 1);
  report.node(root, g, 3, 4, 1);
  report.model.measures.push_back({"cpu_ns", "ns", 0, {0, 0, 10, 20, 5, 7}});
  report::ReportModel other = report.model;
  other.measures.clear();
  AskedReports asked({report.model, other});
  EXPECT_EQ(asked.ask("SELECT report, method_name, cpu_ns, inclusive_cpu_ns FROM methods "
                      "ORDER BY report, method_name"),
            "1,f,30,35\n1,g,12,12\n1,main,0,42\n2,f,,\n2,g,,\n2,main,,\n");
}

TEST(Methods, HaveTheNamesThatTextsHave) {
  const report::ReportModel demo_model = demo();
  report::ReportModel other = demo_model;
  const auto methods = other.methods.name.size();
  other.methods.name.assign(methods, "run");
  other.methods.class_name.assign(methods, "a.A");
  AskedReports asked({demo_model, other});
  std::string expected;
  for (const report::ReportModel* model : {&demo_model, &std::as_const(other)}) {
    const report::DisplayNames names(model->methods);
    for (std::size_t row = 0; row < methods; ++row) {
      expected += names.method(static_cast<std::int32_t>(row)) + '\n';
    }
  }
  EXPECT_NE(expected.find("a.A.run(int)"), std::string::npos) << expected;
  EXPECT_EQ(asked.ask("SELECT name FROM methods ORDER BY id"), expected);
  EXPECT_EQ(asked.ask("SELECT descriptor FROM methods WHERE name = 'a.A.run(int)'"), "(I)I\n");
  EXPECT_EQ(asked.ask("SELECT count(*) FROM methods WHERE name = 'a.A.run'"), "0\n");
}

}  // namespace
}  // namespace copse::sql
