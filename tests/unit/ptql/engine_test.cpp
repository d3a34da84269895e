#include "ptql/engine/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "support/ptql_run.h"

namespace copse::ptql {
namespace {

using testing::ask_run;
using testing::AskedRun;
using Rows = std::vector<std::string>;

const std::string kDb =
    "method tx class=DB name=doTransaction void\n"
    "method y class=B name=y void\n"
    "method sleep class=B name=sleep void\n";

TEST(PtqlEngine, FindsATransactionThatSleepsWhenItDoes) {
  const AskedRun run = ask_run(testing::kTransactionSleeps, kDb +
                                                                "enter 1 tx thread=#1\n"     // 1
                                                                "enter 2 y thread=#1\n"      // 2
                                                                "enter 3 sleep thread=#1\n"  // 3
                                                                "leave 3\nleave 2\nleave 1\n"
                                                                "enter 4 sleep thread=#1\n"
                                                                "leave 4\n");
  EXPECT_EQ(run.answers, Rows{"1, 3"});
  EXPECT_EQ(run.times, std::vector<std::uint64_t>{3});
  EXPECT_EQ(run.totals.records, 0u) << "the transaction's record goes with its end";
}

TEST(PtqlEngine, ComparesTextsOfStrings) {
  const std::string events =
      "method get class=C name=get params=1\nmethod put class=C name=put params=1\n"
      "enter 1 get thread=#1 param0=#7'tea'\nleave 1 result=null\n"
      "enter 2 get thread=#1 param0=#8\nleave 2 result=#7'tea'\n"
      "enter 3 get thread=#1 param0=5\nleave 3 result='tea'\n"
      "enter 4 put thread=#1 param0=#9'tea'\nleave 4 result=#8\n"
      "enter 5 put thread=#1 param0=null\nleave 5 result=#8\n";
  const std::string from =
      "SELECT x.startTime, y.startTime FROM MethodInvocation x, MethodInvocation y "
      "WHERE x.methodName = 'get' AND y.methodName = 'put' AND x.startTime < y.startTime AND ";
  EXPECT_EQ(ask_run(from + "x.param0.text = y.param0.text", events).answers, Rows{"1, 7"});
  EXPECT_EQ(ask_run(from + "x.param0 = y.param0", events).answers, Rows{});
  EXPECT_EQ(ask_run(from + "x.result.text = y.param0.text", events).answers, Rows{"3, 7"});
  EXPECT_EQ(ask_run(from + "x.param0.text != y.param0.text", events).answers, Rows{})
      << "what is no String has no text";
  EXPECT_EQ(ask_run("SELECT x.param0.text FROM MethodInvocation x", events).answers,
            (Rows{"'tea'", "-"}));
}

TEST(PtqlEngine, GivesAnAnswerForEachActiveTransaction) {
  const AskedRun run =
      ask_run(testing::kTransactionSleeps, kDb +
                                               "enter 1 tx thread=#1\nenter 2 tx thread=#1\n"
                                               "leave 2\n"
                                               "enter 3 tx thread=#1\nenter 4 sleep thread=#1\n"
                                               "leave 4\nleave 3\nleave 1\n");
  EXPECT_EQ(run.answers, (Rows{"4, 5", "1, 5"}));
}

TEST(PtqlEngine, EndsATransactionThatThrows) {
  const AskedRun run = ask_run(testing::kTransactionSleeps,
                               kDb +
                                   "enter 1 tx thread=#1\nleave 1 thrown=#9 thrown.type='x.E'\n"
                                   "enter 2 sleep thread=#1\nleave 2\n");
  EXPECT_EQ(run.answers, Rows{});
  EXPECT_EQ(run.totals.records, 0u);
}

TEST(PtqlEngine, TellsThreadsApart) {
  const AskedRun run = ask_run(testing::kTransactionSleeps,
                               kDb +
                                   "enter 1 tx thread=#1\nenter 2 sleep thread=#2\nleave 2\n"
                                   "enter 3 tx thread=#2\nenter 4 sleep thread=#1\nleave 4\n"
                                   "leave 3\nleave 1\n");
  EXPECT_EQ(run.answers, Rows{"1, 5"});
}

TEST(PtqlEngine, EndsWhatStillRunsWithTheProgram) {
  // The program ends at 4: the inner one's end is 4 + (4 - 2), the outer one's 4 + (4 - 1), the
  // object's 2 * 4 + 3.
  const AskedRun run = ask_run(
      "SELECT x.endTime, y.endTime, o.endTime FROM MethodInvocation x, MethodInvocation y, "
      "ObjectAllocation o WHERE x.startTime < y.startTime AND y.endTime < x.endTime",
      "method f class=A name=f void\n"
      "enter 1 f thread=#1\nenter 2 f thread=#1\nalloc #7 A thread=#1\n");
  EXPECT_EQ(run.answers, Rows{"7, 6, 11"});
}

const std::string kStream =
    "method read class=S name=read\nmethod close class=S name=close void\n"
    "method new class=S name=<init> void params=1\n";

TEST(PtqlEngine, FollowsObjectsByIdentity) {
  const AskedRun run = ask_run(
      "SELECT r.startTime, r.receiver FROM MethodInvocation r, MethodInvocation c "
      "WHERE r.methodName = 'read' AND c.methodName = 'close' AND r.receiver = c.receiver "
      "AND c.endTime < r.startTime",
      kStream +
          "enter 1 close thread=#1 receiver=#7\nleave 1\n"
          "enter 2 read thread=#1 receiver=#8\nleave 2 result=5\n"
          "enter 3 read thread=#1 receiver=#7\nleave 3 result=5\n");
  EXPECT_EQ(run.answers, Rows{"5, object 7"});
}

TEST(PtqlEngine, DropsRecordsWithTheObjectTheyNeed) {
  std::string events = "method h class=A name=hashCode\n";
  for (int i = 0; i < 100; ++i) {
    const std::string object = "#" + std::to_string(10 + i);
    const std::string first = std::to_string(2 * i);
    const std::string second = std::to_string(2 * i + 1);
    events += "alloc " + object + " A\nenter " + first + " h thread=#1 receiver=" + object +
              "\nleave " + first + " result=1\nenter " + second +
              " h thread=#1 receiver=" + object + "\nleave " + second +
              " result=" + std::to_string(1 + i % 2) + "\n";
    // One object lives on, so that no table is ever empty.
    if (i > 0) events += "die " + object + "\n";
  }
  const AskedRun run = ask_run(testing::kHashCodeConsistent, events);
  EXPECT_EQ(run.answers, (Rows{"2, 1", "1, 2"})) << "each once, and each pair twice";
  EXPECT_LT(run.totals.most_bytes, 8'000u);
  const PartSet removals = set_of(Part::kAdmission) | set_of(Part::kRetention);
  const AskedRun kept = ask_run(testing::kHashCodeConsistent, events, {}, removals);
  EXPECT_EQ(kept.answers, run.answers);
  EXPECT_GT(kept.totals.most_bytes, 50'000u);
}

TEST(PtqlEngine, TellsOfOneObjectInTwoPlaces) {
  // x.equals(x), whose hash code changed: both places are one object.
  const AskedRun run = ask_run(
      "SELECT eq.receiver FROM MethodInvocation eq, MethodInvocation h, ObjectAllocation x, "
      "ObjectAllocation y WHERE eq.methodName = 'equals' AND h.methodName = 'hashCode' "
      "AND eq.receiver = x.receiver AND eq.param0 = y.receiver AND h.receiver = y.receiver",
      "method e class=A name=equals params=1\nmethod h class=A name=hashCode\n"
      "alloc #7 A\nenter 1 e thread=#1 receiver=#7 param0=#7\nleave 1 result=true\n"
      "enter 2 h thread=#1 receiver=#7\nleave 2 result=1\ndie #7\n");
  EXPECT_EQ(run.answers, Rows{"object 7"});
}

TEST(PtqlEngine, FindsEveryRecordThatIsLateEnough) {
  const std::string events =
      "method open class=C name=open\nmethod add class=C name=add void\n"
      "method use class=I name=use void\n"
      "enter 1 add receiver=#7 thread=#1\nleave 1\n"             // 1, 2
      "enter 2 add receiver=#7 thread=#2\n"                      // 3
      "enter 3 open receiver=#7 thread=#1\nleave 3 result=#8\n"  // 4, 5
      "leave 2\n"                                                // 6
      "enter 4 add receiver=#7 thread=#1\n"                      // 7
      "enter 5 add receiver=#7 thread=#2\nleave 5\nleave 4\n"    // 8 to 10
      "enter 6 add receiver=#9 thread=#1\nleave 6\n"             // 11, 12
      "enter 7 use receiver=#8 thread=#1\nleave 7\n";
  const std::string query =
      "SELECT c.startTime FROM MethodInvocation c, MethodInvocation o, MethodInvocation u "
      "WHERE c.methodName = 'add' AND u.methodName = 'use' AND u.receiver = o.result "
      "AND c.receiver = o.receiver AND c.startTime < u.startTime AND ";
  const auto found = [&](const std::string& order) {
    Rows rows = ask_run(query + order, events).answers;
    std::ranges::sort(rows);
    return rows;
  };
  EXPECT_EQ(found("o.endTime < c.startTime"), (Rows{"7", "8"}));
  EXPECT_EQ(found("o.startTime < c.endTime"), (Rows{"3", "7", "8"}));
  EXPECT_EQ(found("c.endTime < o.startTime"), Rows{"1"});
}

TEST(PtqlEngine, FindsTheReceiverOfAMethodBehindThatOfAnEarlierConstructor) {
  const std::string events =
      "method open class=C name=open\nmethod new class=C name=<init> void\n"
      "method add class=C name=add void\nmethod use class=I name=use void\n"
      "enter 1 open receiver=#6 thread=#1\nleave 1 result=#6\n"  // 1, 2: another object
      "enter 2 new thread=#1\n"                                  // 3
      "enter 3 open receiver=#7 thread=#1\nleave 3 result=#8\n"  // 4, 5
      "enter 4 add receiver=#7 thread=#1\nleave 4\n"             // 6, 7
      "leave 2 receiver=#7\n"                                    // 8
      "enter 5 use receiver=#8 thread=#1\nleave 5\n";
  const std::string query =
      "SELECT c.startTime FROM MethodInvocation c, MethodInvocation o, MethodInvocation u "
      "WHERE u.methodName = 'use' AND u.receiver = o.result AND c.receiver = o.receiver "
      "AND o.endTime < c.startTime AND c.endTime < u.startTime";
  EXPECT_EQ(ask_run(query, events).answers, Rows{"6"});
}

TEST(PtqlEngine, ComparesResultsOnlyWhereThereAreSome) {
  const std::string events = kStream +
                             "enter 1 read thread=#1 receiver=#7\nleave 1 thrown=#9 "
                             "thrown.type='x.E'\n"
                             "enter 2 read thread=#1 receiver=#7\nleave 2 result=-1\n";
  const std::string from = " FROM MethodInvocation r WHERE r.methodName = 'read' AND ";
  EXPECT_EQ(ask_run("SELECT r.startTime" + from + "r.result != 5", events).answers, Rows{"3"});
  EXPECT_EQ(ask_run("SELECT r.thrown" + from + "r.thrown != null", events).answers,
            Rows{"object 9"});
  EXPECT_EQ(ask_run("SELECT r.startTime" + from + "r.thrown.type =~ '.*E'", events).answers,
            Rows{"1"});
  EXPECT_EQ(ask_run("SELECT r.result" + from + "r.startTime = 1", events).answers, Rows{"-"});
}

TEST(PtqlEngine, KnowsAConstructorsReceiverOnceItHasReturned) {
  const std::string query =
      "SELECT i.receiver, o.dynamicType FROM MethodInvocation i, ObjectAllocation o "
      "WHERE i.methodName = '<init>' AND i.receiver = o.receiver";
  EXPECT_EQ(
      ask_run(query, kStream + "enter 1 new thread=#1\nalloc #7 S\nleave 1 receiver=#7\ndie #7\n")
          .answers,
      Rows{"object 7, 'S'"});
  EXPECT_EQ(
      ask_run(query, kStream + "enter 1 new thread=#1\nalloc #7 S\nleave 1 thrown=#8\n").answers,
      Rows{});
}

const std::string kCalls =
    "method a class=A name=a\nmethod b class=A name=b\n"
    "enter 1 a thread=#1 thread.name='w-1'\nleave 1 result=3\n"
    "enter 2 a thread=#1 thread.name='w-1'\nleave 2 result=1\n"
    "enter 3 b thread=#2 thread.name='w-2'\nleave 3 result=3\n";

TEST(PtqlEngine, GivesEachRowOnce) {
  EXPECT_EQ(ask_run("SELECT x.result FROM MethodInvocation x", kCalls).answers, (Rows{"3", "1"}));
}

TEST(PtqlEngine, CountsTuplesByGroup) {
  EXPECT_EQ(ask_run("SELECT x.methodName, COUNT(*) FROM MethodInvocation x "
                    "GROUP BY x.methodName ORDER BY COUNT(*) DESC",
                    kCalls)
                .answers,
            (Rows{"'a', 2", "'b', 1"}));
  EXPECT_EQ(ask_run("SELECT COUNT(*) FROM MethodInvocation x, MethodInvocation y", kCalls).answers,
            Rows{"9"});
  EXPECT_EQ(
      ask_run("SELECT COUNT(*) FROM MethodInvocation x WHERE x.methodName = 'c'", kCalls).answers,
      Rows{"0"});
  EXPECT_EQ(ask_run("SELECT COUNT(*), x.thread FROM MethodInvocation x WHERE x.methodName = 'c' "
                    "GROUP BY x.thread",
                    kCalls)
                .answers,
            Rows{});
}

TEST(PtqlEngine, ChoosesGroupsByTheirSize) {
  const std::string query = "SELECT x.methodName FROM MethodInvocation x GROUP BY x.methodName ";
  EXPECT_EQ(ask_run(query + "HAVING COUNT(*) >= 2", kCalls).answers, Rows{"'a'"});
  EXPECT_EQ(ask_run(query + "HAVING COUNT(*) < 2", kCalls).answers, Rows{"'b'"});
  EXPECT_EQ(ask_run("SELECT COUNT(*) FROM MethodInvocation x WHERE x.methodName = 'c' "
                    "HAVING COUNT(*) > 0",
                    kCalls)
                .answers,
            Rows{});
}

TEST(PtqlEngine, FindsNamesThatDoNotMatch) {
  const std::string query = "SELECT x.startTime FROM MethodInvocation x WHERE x.methodName ";
  EXPECT_EQ(ask_run(query + "!~ 'b|c'", kCalls).answers.size(), 2u);
  EXPECT_EQ(ask_run(query + "!~ '.*'", kCalls).answers, Rows{});
  EXPECT_EQ(
      ask_run("SELECT x.startTime FROM MethodInvocation x WHERE x.context !~ 'a'", kCalls).answers,
      Rows{})
      << "what a record does not have is in no relation to anything";
}

TEST(PtqlEngine, SortsAtTheEndAndGivesTheFirst) {
  const std::string query = "SELECT x.result, x.startTime FROM MethodInvocation x ORDER BY ";
  EXPECT_EQ(ask_run(query + "x.result, x.startTime DESC", kCalls).answers,
            (Rows{"1, 3", "3, 5", "3, 1"}));
  EXPECT_EQ(ask_run(query + "x.result DESC LIMIT 1", kCalls).answers, Rows{"3, 1"});
}

TEST(PtqlEngine, StopsAtItsLimit) {
  const AskedRun run = ask_run("SELECT x.startTime FROM MethodInvocation x LIMIT 2", kCalls);
  EXPECT_EQ(run.answers, (Rows{"1", "3"}));
  EXPECT_EQ(run.totals.records, 0u);
}

// In the middle of a join; what it has not looked at is no reason for an answer either.
TEST(PtqlEngine, LooksAtNothingOnceItIsStopped) {
  const std::vector<Plan> plans = {
      testing::plan_of("SELECT a.startTime, b.startTime FROM MethodInvocation a, "
                       "MethodInvocation b WHERE a.startTime < b.startTime"),
      testing::plan_of("SELECT a.startTime FROM MethodInvocation a, NEGATIVE MethodInvocation b "
                       "WHERE a.startTime < b.startTime"),
      testing::plan_of("SELECT COUNT(*) FROM MethodInvocation a")};
  std::atomic<bool> stop{false};
  EngineOptions options;
  options.stop = &stop;
  std::vector<std::size_t> answered;
  Engines engines(plans, options, [&](std::size_t query, const Answer&) {
    answered.push_back(query);
    stop.store(answered.size() == 2);
  });
  MethodFacts facts;
  facts.name = "a";
  facts.implementing_class = facts.declaring_class = "X";
  const MethodNumber method = engines.add_method(facts);
  for (std::uint64_t i = 1; i <= 5; ++i) {
    MethodEntry entry{};
    entry.time = 2 * i;
    entry.invocation = i;
    entry.method = method;
    engines.method_entered(entry);
    MethodExit exit{};
    exit.time = 2 * i + 1;
    exit.invocation = i;
    engines.method_left(exit);
  }
  engines.finish(100, 0);
  EXPECT_EQ(answered, (std::vector<std::size_t>{0, 0}));
}

TEST(PtqlEngine, GivesNoAnswerToAContradiction) {
  const AskedRun run =
      ask_run("SELECT x.startTime FROM MethodInvocation x WHERE x.endTime < x.startTime", kCalls);
  EXPECT_EQ(run.answers, Rows{});
  EXPECT_EQ(run.totals.events, 0u);
}

TEST(PtqlEngine, LooksAtContextsAndThreadNames) {
  const std::string events =
      "method f class=shop.Ledger name=f void\n"
      "enter 1 f thread=#1 thread.name='main' context='shop.Main.main;shop.Ledger.f'\nleave 1\n"
      "enter 2 f thread=#1 thread.name='pool-1' context='lib.Pool.run;shop.Ledger.f'\nleave 2\n";
  const std::string select = "SELECT x.thread.name FROM MethodInvocation x WHERE ";
  EXPECT_EQ(ask_run(select + "under(x.context, 'shop.Main')", events).answers, Rows{"'main'"});
  EXPECT_EQ(ask_run(select + "under(x.context, 'lib.*.run')", events).answers, Rows{"'pool-1'"});
  EXPECT_EQ(ask_run(select + "under(x.context, 'shop.Ledger.f')", events).answers.size(), 2u);
  EXPECT_EQ(ask_run(select + "x.context GLOB 'lib.**;shop.Ledger.*'", events).answers,
            Rows{"'pool-1'"});
  EXPECT_EQ(ask_run(select + "x.thread.name =~ 'pool-\\d'", events).answers, Rows{"'pool-1'"});
}

// So many open calls of one method, then one of another that needs any of them.
std::string many_open(int count) {
  std::string events = "method a class=A name=a void\nmethod b class=A name=b void\n";
  for (int i = 0; i < count; ++i) events += "enter " + std::to_string(i) + " a thread=#1\n";
  return events + "enter " + std::to_string(count) + " b thread=#1\n";
}

TEST(PtqlEngine, DropsTheOldestRecordsWhenMemoryIsShortAndSaysSo) {
  const std::string query =
      "SELECT a.startTime, b.thread, b.startTime FROM MethodInvocation a, MethodInvocation b "
      "WHERE a.methodName = 'a' "
      "AND b.methodName = 'b' AND a.startTime < b.startTime";
  EngineOptions options;
  const AskedRun all = ask_run(query, many_open(1000), options);
  EXPECT_EQ(all.answers.size(), 1000u);
  EXPECT_EQ(all.totals.dropped_records, 0u);
  options.memory_bytes = 30'000;
  const AskedRun some = ask_run(query, many_open(1000), options);
  EXPECT_EQ(some.answers.front(), "1000, object 1, 1001") << "the youngest";
  EXPECT_EQ(some.answers.size() + some.totals.dropped_records, 1000u);
  EXPECT_GT(some.totals.dropped_records, 500u);
  EXPECT_LE(some.totals.most_bytes, 30'000u + 1000u);
}

TEST(PtqlEngine, ForgetsRowsWhenMemoryIsShortAndSaysSo) {
  std::string events = "method a class=A name=a params=1 void\n";
  for (int i = 0; i < 600; ++i) {
    const std::string number = std::to_string(i);
    events += "enter " + number + " a thread=#1 param0=" + std::to_string(i % 300) + "\nleave " +
              number + "\n";
  }
  EngineOptions options;
  const std::string query = "SELECT x.param0 FROM MethodInvocation x";
  EXPECT_EQ(ask_run(query, events, options).answers.size(), 300u);
  options.memory_bytes = 10'000;
  const AskedRun run = ask_run(query, events, options);
  EXPECT_GT(run.totals.forgotten_rows, 0u);
  EXPECT_EQ(run.answers.size(), 600u) << "each again, after it was forgotten";
}

// Calls of f or g, one after the other, each on an object of its own or all on one.
std::string calls_one_after_the_other(int number) {
  std::string events = "method f class=A name=f void\nmethod g class=A name=g void\n";
  for (int i = 1; i <= number; ++i) {
    events += "enter " + std::to_string(i) + (i % 2 == 0 ? " f" : " g") +
              " thread=#1 receiver=#7\nleave " + std::to_string(i) + "\n";
  }
  return events;
}

TEST(PtqlEngine, DropsWhatANegativeRecordRulesOutForever) {
  // The last f before x: each f is ruled out by the next one, whatever x may come.
  const std::string query =
      "SELECT y.startTime FROM MethodInvocation y, NEGATIVE MethodInvocation n, MethodInvocation x "
      "WHERE y.methodName = 'f' AND n.methodName = 'f' AND x.methodName = 'x' "
      "AND y.receiver = n.receiver AND x.receiver = y.receiver AND y.endTime < n.startTime "
      "AND n.endTime < x.startTime AND y.endTime < x.startTime";
  const std::string events = "method x class=A name=x void\n" + calls_one_after_the_other(2000) +
                             "enter 9999 x thread=#1 receiver=#7\n";
  const AskedRun run = ask_run(query, events);
  EXPECT_EQ(run.answers, Rows{"3999"});
  const AskedRun kept = ask_run(query, events, {}, kAllParts);
  EXPECT_EQ(kept.answers, run.answers);
  EXPECT_LT(run.totals.most_bytes, kept.totals.most_bytes / 100);
}

// The constructor does not know the value of its receiver, so it cannot stand for the later call.
TEST(PtqlEngine, KeepsACallThatKnowsMoreOfItsReceiverThanTheConstructor) {
  const AskedRun run = ask_run(
      "SELECT b.receiver FROM MethodInvocation b, MethodInvocation a WHERE a.methodName = 'use' "
      "AND b.receiver = a.param0.value AND b.endTime < a.startTime",
      "method i class=java.lang.Integer name=<init> void\n"
      "method v class=java.lang.Integer name=intValue\n"
      "method use class=A name=use params=1 static void\n"
      "alloc #7 java.lang.Integer\nenter 1 i thread=#1\nleave 1 receiver=#7\n"
      "enter 2 v thread=#1 receiver=#7(12)\nleave 2 result=12\n"
      "enter 3 use thread=#1 param0=12\nleave 3\n");
  EXPECT_EQ(run.answers, Rows{"object 7 (12)"});
}

// a, then b after it with no n between: what came before a cannot be that b.
TEST(PtqlEngine, DropsWhatANegativeRecordRulesOutThoughAnEarlierEventIsKept) {
  const std::string query =
      "SELECT a.startTime, b.startTime FROM MethodInvocation a, MethodInvocation b, "
      "MethodInvocation c, NEGATIVE MethodInvocation n "
      "WHERE a.methodName = 'a' AND b.methodName = 'b' AND c.methodName = 'c' "
      "AND n.methodName = 'n' AND a.endTime < b.startTime AND b.endTime < c.startTime "
      "AND n.thread = a.thread AND a.endTime < n.startTime AND n.endTime < b.startTime";
  std::string run =
      "method a class=X name=a\nmethod b class=X name=b\nmethod c class=X name=c\n"
      "method n class=X name=n\n"
      "enter 1 a thread=#2\nleave 1\nenter 2 b thread=#2\nleave 2\n";
  for (int i = 0; i < 100; ++i) {
    const std::string one = std::to_string(3 + 2 * i);
    const std::string other = std::to_string(4 + 2 * i);
    run += "enter " + one + " a thread=#1\nleave " + one + "\nenter " + other +
           " n thread=#1\nleave " + other + "\n";
  }
  const AskedRun asked = ask_run(query, run + "enter 900 c thread=#1\nleave 900\n");
  EXPECT_EQ(asked.answers, Rows{"1, 3"});
  EXPECT_LT(asked.totals.records, 10u) << "each other a leaves with its n";
}

TEST(PtqlEngine, KeepsOneOfRecordsThatSayTheSame) {
  const std::string query =
      "SELECT y.receiver FROM MethodInvocation x, MethodInvocation y "
      "WHERE x.methodName = 'f' AND y.methodName = 'g' AND x.receiver = y.receiver "
      "AND x.startTime < y.startTime AND x.thread != y.thread";
  const AskedRun run = ask_run(query, calls_one_after_the_other(2000));
  EXPECT_EQ(run.answers, Rows{});
  EXPECT_LT(run.totals.most_bytes, 2000u);
}

TEST(PtqlEngine, TakesObjectsThatWereThereBeforeWhereNothingIsAskedOfTheirAllocation) {
  const auto answers_to = [](const std::string& query) {
    const Plan plan = testing::plan_of(query);
    std::size_t answers = 0;
    Engine engine(plan, {}, [&answers](const Answer&) { ++answers; });
    const MethodNumber f = engine.add_method({"f", "A", "A", 0, false, true});
    const Value thread = Value::object(1);
    Allocation allocation{1, 0, 7, engine.add_class("A")};
    allocation.is_late = true;
    engine.object_allocated(allocation);
    engine.method_entered({2, 0, 1, f, Value::object(7), thread, {}, {}, {}});
    engine.finish(3, 0);
    return answers;
  };
  const std::string tied =
      " FROM ObjectAllocation o, MethodInvocation x WHERE o.dynamicType = 'A' "
      "AND x.receiver = o.receiver";
  EXPECT_EQ(answers_to("SELECT o.receiver" + tied), 1u);
  EXPECT_EQ(answers_to("SELECT o.startTime" + tied), 0u);
  EXPECT_EQ(answers_to("SELECT o.receiver FROM ObjectAllocation o"), 0u);
}

TEST(PtqlEngine, TellsWhetherAnEndMakesADifference) {
  const Plan plan = testing::plan_of(testing::kTransactionSleeps);
  Engine engine(plan, {}, [](const Answer&) {});
  const MethodNumber tx = engine.add_method({"doTransaction", "DB", "DB", 0, false, true});
  const MethodNumber sleep = engine.add_method({"sleep", "B", "B", 0, false, true});
  const MethodNumber other = engine.add_method({"y", "B", "B", 0, false, true});
  EXPECT_EQ(engine.identifiers_of(tx), set_of(0));
  EXPECT_EQ(engine.identifiers_of(other), 0u);
  const Value thread = Value::object(1);
  EXPECT_TRUE(engine.method_entered({1, 0, 1, tx, {}, thread, {}, {}, {}}));
  EXPECT_FALSE(engine.method_entered({2, 0, 2, sleep, {}, thread, {}, {}, {}}));
  EXPECT_FALSE(engine.method_entered({3, 0, 3, other, {}, thread, {}, {}, {}}));
  EXPECT_EQ(engine.totals().answers, 1u);
}

}  // namespace
}  // namespace copse::ptql
