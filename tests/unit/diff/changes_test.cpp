// Changes behind another sum: the contexts that are told, and the amount that each accounts for.
#include "compare/diff/changes.h"

#include <gtest/gtest.h>

#include <cmath>

#include <string>
#include <vector>

#include "compare/diff/findings.h"
#include "compare/diff/writers.h"
#include "report/model/output.h"
#include "support/expect_fault.h"
#include "support/small_report.h"

namespace copse::diff {
namespace {

using report::ReportModel;
using testing::SmallReport;

Comparison compared(const ReportModel& before, const ReportModel& now) {
  Result<Comparison> result = compare(before, "a.json", now, "b.json", {});
  EXPECT_TRUE(result.ok()) << result.message();
  return std::move(result).value();
}

// "query more 100", one for each change.
std::vector<std::string> told(const Comparison& comparison, std::size_t measure = 0) {
  constexpr const char* kKinds[] = {"new", "gone", "more", "fewer", "cost"};
  std::vector<std::string> words;
  for (const Change& change : find_changes(comparison, measure).list) {
    const auto method = static_cast<std::size_t>(
        comparison.both.nodes.method[static_cast<std::size_t>(change.node)]);
    words.push_back(comparison.both.methods.name[method] + " " +
                    kKinds[static_cast<std::size_t>(change.kind)] + " " +
                    std::to_string(std::lround(change.effect)));
  }
  return words;
}

// main calls get, which calls query so often; each query calls read twice.
SmallReport shop(std::uint64_t queries, std::uint64_t gets = 1) {
  SmallReport shop;
  const std::int32_t main = shop.method("demo.Main", "main");
  const std::int32_t get = shop.method("demo.Handler", "get");
  const std::int32_t query = shop.method("demo.Dao", "query");
  const std::int32_t read = shop.method("demo.Dao", "read");
  const std::int32_t top = shop.node(0, main);
  const std::int32_t got = shop.node(top, get, 10, 3, gets);
  const std::int32_t queried = shop.node(got, query, 20, 7, queries);
  shop.node(queried, read, 30, 1, 2 * queries);
  return shop;
}

using Words = std::vector<std::string>;

// With so much of cpu_ns in the context of query, and in calls what the test says.
ReportModel timed(std::uint64_t cpu, bool counts_calls) {
  ReportModel model = shop(3).model;
  model.measures.push_back({"cpu_ns", "ns", 0, {0, 10, 20, cpu, 40}});
  if (counts_calls) return model;
  model.totals.calls = model.totals.calls_seen = 0;
  model.nodes.calls = NumberColumn(model.nodes.calls.size());
  return model;
}

TEST(Changes, AreByTheMeasureWhereOneReportHasNotCountedCalls) {
  for (const bool has_old : {false, true}) {
    const Comparison some = compared(timed(30, has_old), timed(50, !has_old));
    EXPECT_FALSE(some.compares_calls());
    EXPECT_EQ(some.measures[0].in_old, has_old);
    EXPECT_EQ(some.measures[0].in_new, !has_old);
    EXPECT_EQ(told(some, 1), Words{"query cost 20"});
    const ContextCounts counts = count_contexts(some, 1);
    EXPECT_EQ(counts.equal, 3u);
    EXPECT_EQ(counts.more, 1u);
    EXPECT_EQ(counts.only_new + counts.only_old + counts.fewer, 0u);
  }
}

TEST(Changes, OfAReportWithItselfAreNone) {
  const Comparison same = compared(shop(3).model, shop(3).model);
  EXPECT_EQ(told(same), Words{});
  EXPECT_EQ(count_contexts(same).equal, 4u);
  EXPECT_EQ(find_changes(same, 0).rest, 0);
}

TEST(Changes, OfACallThatIsMadeMoreOftenAreOneForAllBelowIt) {
  EXPECT_EQ(told(compared(shop(1).model, shop(101).model)), Words{"query more 300"});
  EXPECT_EQ(told(compared(shop(101).model, shop(1).model)), Words{"query fewer -300"});
}

TEST(Changes, AreToldPerCallOfTheCaller) {
  EXPECT_EQ(told(compared(shop(5, 1).model, shop(10, 2).model)), Words{"get more 16"});
  EXPECT_EQ(told(compared(shop(5, 1).model, shop(30, 2).model)),
            (Words{"query more 60", "get more 16"}));
  EXPECT_EQ(told(compared(shop(5, 1).model, shop(4, 2).model)),
            (Words{"query fewer -3", "get more 1"}));
}

TEST(Changes, AreToldWhereMostOfADifferenceComesFrom) {
  // get is called a thousand times less often, and a call of it makes 1.01 queries and not one.
  EXPECT_EQ(told(compared(shop(100'000, 100'000).model, shop(101, 100).model)),
            (Words{"get fewer -399600", "query more 3"}));
}

TEST(Changes, LeaveOutWhatIsCalledAsOftenAsBefore) {
  EXPECT_EQ(told(compared(shop(5, 1).model, shop(5, 1000).model)), Words{"get more 999"});
}

TEST(Changes, OfWhatIsNewOrGoneAreItsTopmostContext) {
  SmallReport now = shop(4);
  const std::int32_t log = now.method("demo.Log", "log"), flush = now.method("demo.Log", "flush");
  const std::int32_t logged = now.node(4, log, 40, 9, 7);
  now.node(logged, flush, 50, 2, 1);
  EXPECT_EQ(told(compared(shop(4).model, now.model)), Words{"log new 8"});
  EXPECT_EQ(told(compared(now.model, shop(4).model)), Words{"log gone -8"});
  const ContextCounts counts = count_contexts(compared(shop(4).model, now.model));
  EXPECT_EQ(counts.only_new, 2u);
  EXPECT_EQ(counts.equal, 4u);
}

void measure(SmallReport& report, const std::string& name, const std::string& unit,
             std::vector<std::uint64_t> values) {
  report.model.measures.push_back({name, unit, 0, std::move(values)});
}

TEST(Changes, OfAMeasureAreSplitIntoCallsAndWhatACallCosts) {
  SmallReport before = shop(1), now = shop(3);
  measure(before, "exceptions", "events", {0, 0, 4, 0, 10});
  measure(now, "exceptions", "events", {0, 0, 5, 0, 31});
  EXPECT_EQ(told(compared(before.model, now.model), 1),
            (Words{"query more 20", "get cost 1", "read cost 1"}));
}

TEST(Changes, OfSamplesWithinChanceAreNone) {
  SmallReport before = shop(1), now = shop(1);
  measure(before, "cpu_ns", "ns", {0, 0, 0, 0, 1000});
  measure(before, "cpu_samples", "events", {0, 0, 0, 0, 100});
  measure(now, "cpu_ns", "ns", {0, 0, 0, 0, 1200});
  measure(now, "cpu_samples", "events", {0, 0, 0, 0, 120});
  const Comparison near = compared(before.model, now.model);
  EXPECT_EQ(told(near, 1), Words{});
  EXPECT_EQ(find_changes(near, 1).rest, 200);
  now.model.measures[0].values[4] = 2000;
  now.model.measures[1].values[4] = 200;
  const Comparison far = compared(before.model, now.model);
  EXPECT_EQ(told(far, 1), Words{"read cost 1000"});
  const Changes changes = find_changes(far, 1);
  EXPECT_NEAR(changes.list.front().error, 173.2, 0.1);  // 2000 / sqrt(200) and 1000 / sqrt(100)
  EXPECT_EQ(changes.rest, 0);
}

TEST(Changes, OfSamplesThatAreFewInEachContextAreToldAboveThem) {
  SmallReport before = shop(1), now = shop(1);
  measure(before, "cpu_ns", "ns", {0, 100, 400, 400, 400});
  measure(before, "cpu_samples", "events", {0, 1, 4, 4, 4});
  measure(now, "cpu_ns", "ns", {0, 100, 900, 900, 900});
  measure(now, "cpu_samples", "events", {0, 1, 9, 9, 9});
  EXPECT_EQ(told(compared(before.model, now.model), 1), Words{"get cost 1500"});
}

// The thread waits in log for as long as it waited in query before: get has the same sum.
TEST(Changes, OfSamplesThatCancelOutAreToldEach) {
  const auto waiting = [](std::uint64_t in_query, std::uint64_t in_log) {
    SmallReport report = shop(1);
    const std::int32_t log = report.node(2, report.method("demo.Log", "log"), 40, 9);
    EXPECT_EQ(log, 5);
    measure(report, "wall_ns", "ns", {0, 0, 10, 10 * in_query, 10, 10 * in_log});
    measure(report, "wall_samples", "events", {0, 0, 1, in_query, 1, in_log});
    return report.model;
  };
  const Comparison some = compared(waiting(100, 30), waiting(30, 100));
  EXPECT_EQ(told(some, 1), (Words{"query cost -700", "log cost 700"}));
  EXPECT_EQ(find_changes(some, 1).rest, 0);
  EXPECT_EQ(told(compared(waiting(40, 40), waiting(30, 50)), 1), Words{}) << "within chance";
  // Unequal ones leave less than chance above.
  EXPECT_EQ(told(compared(waiting(100, 30), waiting(30, 90)), 1),
            (Words{"query cost -700", "log cost 600"}));
}

TEST(Changes, OfExactMeasuresThatCancelOutAreToldEach) {
  const auto throwing = [](std::vector<std::uint64_t> values, std::uint64_t gets) {
    SmallReport report = shop(gets, gets);
    measure(report, "exceptions", "events", std::move(values));
    return report.model;
  };
  EXPECT_EQ(told(compared(throwing({0, 0, 0, 100, 30}, 1), throwing({0, 0, 0, 30, 100}, 1)), 1),
            (Words{"query cost -70", "read cost 70"}));
  // get is called twice as often and throws no more; what it calls throws twice as often.
  EXPECT_EQ(told(compared(throwing({0, 0, 100, 50, 50}, 1), throwing({0, 0, 0, 100, 100}, 2)), 1),
            (Words{"get more 100", "get cost -100"}));
  EXPECT_EQ(told(compared(throwing({0, 0, 7, 0, 0}, 1), throwing({0, 0, 7, 0, 0}, 2)), 1), Words{})
      << "called more often, and throws no more";
}

TEST(Changes, SayWhetherTheyAreByTheCallersCalls) {
  const auto per_caller = [](const Comparison& comparison) {
    std::vector<bool> is;
    for (const Change& change : find_changes(comparison, 0).list)
      is.push_back(change.is_per_caller);
    return is;
  };
  // query: 5 calls of each call of get, then 4 of two.
  EXPECT_EQ(per_caller(compared(shop(5, 1).model, shop(4, 2).model)),
            (std::vector<bool>{false, false}));
  EXPECT_EQ(per_caller(compared(shop(50, 10).model, shop(90, 20).model)),
            (std::vector<bool>{false, true}));
}

TEST(Changes, HaveMeasuresThatOneReportAloneHas) {
  SmallReport before = shop(1), now = shop(1);
  measure(before, "exceptions", "events", {0, 0, 0, 0, 9});
  const Comparison comparison = compared(before.model, now.model);
  ASSERT_EQ(comparison.measures.size(), 2u);
  EXPECT_TRUE(comparison.measures[1].in_old);
  EXPECT_FALSE(comparison.measures[1].in_new);
  EXPECT_EQ(comparison.new_values(1), std::vector<std::uint64_t>(5, 0));
}

TEST(Comparison, RefusesWhatDoesNotCompare) {
  const auto compared = [](const ReportModel& before, const ReportModel& now) {
    return compare(before, "a.json", now, "b.json", {});
  };
  SmallReport marked = shop(1), ns = shop(1), us = shop(1), merged = shop(1);
  marked.model.totals.calls_of = "marked methods";
  EXPECT_FAULT(compared(shop(1).model, marked.model), kRefused, "b.json: ", "marked methods",
               "a.json");
  measure(ns, "cpu_ns", "ns", {0, 0, 0, 0, 0});
  measure(us, "cpu_ns", "us", {0, 0, 0, 0, 0});
  EXPECT_FAULT(compared(ns.model, us.model), kRefused, "b.json: cpu_ns: ", " us", " ns", "a.json");
  merged.model.merged = {2, {"x", "y"}, "copse.context/1 sites=none names=exact"};
  EXPECT_FAULT(compared(merged.model, shop(1).model), kRefused,
               "a.json: ", "copse.context/1 sites=none names=exact", "--sites", "--names");
  merged.model.merged.rules = "copse.context/1 sites=bci names=normalised";
  EXPECT_TRUE(compared(merged.model, shop(1).model).ok()) << "call sites do not count";
}

// Few renamed methods are listed; many that changed alike are one line.
TEST(RenamedInText, PutsNamesThatDifferInNumbersTogether) {
  Comparison comparison = compared(shop(1).model, shop(2).model);
  for (int i = 0; i < 42; ++i) {
    const std::string number = std::to_string(i);
    comparison.renamed.push_back({"a.Script.call_" + number, "a.Script.invoke_" + number});
    comparison.renamed.push_back({"a.Old.m" + number, "a.New.m" + std::to_string(i + 7)});
  }
  comparison.renamed.push_back({"a.Outer$1", "a.Outer$2"});
  report::StringOutput out;
  write_text(comparison, find_all(comparison, 0), {}, out);
  EXPECT_TRUE(out.finish().ok());
  const std::string text = out.text().substr(out.text().find("Renamed"));
  EXPECT_EQ(text,
            "Renamed (by --renamed, and numbers that moved)\n"
            "  a.Script.call_* is now a.Script.invoke_*: 42\n"
            "  a.Old.* is now a.New.*: 42\n"
            "  a.Outer$1 is now a.Outer$2\n");
}

}  // namespace
}  // namespace copse::diff
