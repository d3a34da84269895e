#include "compare/gate/evaluation.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compare/gate/outcome_text.h"
#include "compare/identity/run_ranges.h"
#include "support/gate_reports.h"

namespace copse::gate {
namespace {

using report::ReportModel;
using testing::compared;
using testing::rule_of;
using testing::Shop;
using testing::SmallReport;

Outcome outcome(const char* rule, const ReportModel& before, const ReportModel& now) {
  return evaluate(rule_of(rule), compared(before, now));
}
// "broken: 1 in old.json, 101 in new.json: +100".
std::string said(const char* rule, const ReportModel& before, const ReportModel& now) {
  const Outcome of = outcome(rule, before, now);
  std::string text = std::string(name_of(of.verdict)) + ": " + values_or_why(of);
  for (const std::string& note : of.notes) text += " | " + note;
  return text;
}
std::string said(const char* rule, const Shop& before, const Shop& now) {
  return said(rule, before.report(), now.report());
}

const Shop kOld{}, kSlow{.queries = 101}, kLogging{.log = 3};

TEST(Gate, IsBrokenByMoreCallsThanTheBound) {
  EXPECT_EQ(said("calls(Db.query) under Handler.get > +0", kOld, kSlow),
            "broken: 1 in old.json, 101 in new.json: +100, x 101");
  EXPECT_EQ(said("calls(Db.query) under Handler.get > +100", kOld, kSlow),
            "holds: 1 in old.json, 101 in new.json: +100, x 101");
  EXPECT_EQ(said("calls(Db.query) under Handler.get > +0", kOld, kOld),
            "holds: 1 in old.json, 1 in new.json: no change");
  EXPECT_EQ(said("calls(com.acme.Db.**) > 3", kOld, kOld), "holds: 3 in new.json");
  EXPECT_EQ(said("calls(com.acme.Db.**) > 2", kOld, kOld), "broken: 3 in new.json");
  EXPECT_EQ(said("calls(Db.query) under Batch.run != +0", kOld, kSlow),
            "holds: 2 in old.json, 2 in new.json: no change");
  EXPECT_EQ(said("calls(**) < -10%", kSlow, kOld),
            "broken: 107 in old.json, 7 in new.json: -100, x 1/15.3");
}

TEST(Gate, ComparesSharesExactly) {
  const Shop hundred{.queries = 100, .has_batch = false}, more{.queries = 105, .has_batch = false};
  EXPECT_EQ(outcome("calls(Db.query) > +5%", hundred.report(), more.report()).verdict,
            Verdict::kHolds);
  EXPECT_EQ(outcome("calls(Db.query) >= +5%", hundred.report(), more.report()).verdict,
            Verdict::kBroken);
  EXPECT_EQ(outcome("calls(Db.query) > +4.999999%", hundred.report(), more.report()).verdict,
            Verdict::kBroken);
}

TEST(Gate, NamesTheContextsThatBrokeTheRule) {
  const diff::Comparison comparison = compared(kOld.report(), kSlow.report());
  const Outcome broken = evaluate(rule_of("calls(Db.query) > +0"), comparison);
  EXPECT_EQ(culprit_lines(broken, comparison, 100),
            (std::vector<std::string>{
                "old  new  context",
                "  1  101  Db.query <- Dao.find:30 <- Handler.get:20 <- Main.main:10"}));
}

TEST(Gate, ComparesQuotients) {
  EXPECT_EQ(said("calls(Db.query) under Handler.get / calls(Handler.get) > 2", kOld, kSlow),
            "broken: 101 (101 by 1) in new.json");
  EXPECT_EQ(said("calls(Db.query) / calls(Handler.get) > +0.5", kOld, kOld),
            "holds: 3.00 (3 by 1) in old.json, 3.00 (3 by 1) in new.json");
  EXPECT_EQ(
      said("calls(Log.log) / calls(Batch.run?) > 2", kOld, Shop{.log = 5, .has_batch = false}),
      "broken: 5 by 0 in new.json")
      << "more than any number";
  EXPECT_EQ(said("calls(Log.log?) / calls(Batch.run) > 2", kOld, Shop{.has_batch = false}),
            "cannot say: there is none of calls(Batch.run) to divide by in new.json");
}

TEST(Gate, CountsNewAndGoneContextsAndMethods) {
  EXPECT_EQ(said("new contexts(**.log*)", kOld, kLogging), "broken: 1 new context");
  EXPECT_EQ(said("new methods(Log)", kOld, kLogging), "broken: 1 new method");
  EXPECT_EQ(said("new contexts(Db.query)", kOld, kSlow), "holds: 0 new contexts");
  EXPECT_EQ(said("gone contexts(Db.query) under Batch", kOld, Shop{.has_batch = false}),
            "broken: 1 gone context");
  EXPECT_EQ(said("gone contexts(**)", kOld, Shop{.has_batch = false}), "broken: 2 gone contexts");
  EXPECT_EQ(said("gone contexts(**) > 2", kOld, Shop{.has_batch = false}),
            "holds: 2 gone contexts");
  EXPECT_EQ(said("gone methods(Db.query)", kOld, Shop{.has_batch = false}),
            "holds: 0 gone methods");
  EXPECT_EQ(said("gone methods(Db.query) under Batch", kOld, Shop{.has_batch = false}),
            "broken: 1 gone method");
  const Outcome gone =
      outcome("gone contexts(**)", kOld.report(), Shop{.has_batch = false}.report());
  EXPECT_EQ(gone.culprits.size(), 1U) << "what is below is gone because of it";
}

TEST(Gate, CannotSayOfAGlobThatMatchesNothing) {
  EXPECT_EQ(
      said("calls(com.acme.Doa.**) > 0", kOld, kSlow),
      "cannot say: com.acme.Doa.** matches nothing in either report; did you mean com.acme.Dao? "
      "(com.acme.Doa.**? would be allowed to.)");
  EXPECT_EQ(said("calls(Db.qery) > 0", kOld, kSlow),
            "cannot say: Db.qery matches nothing in either report; Db has no method qery; did you "
            "mean Db.query? "
            "(Db.qery? would be allowed to.)");
  EXPECT_EQ(said("calls(com.acme.Dbb.query) > 0", kOld, kSlow),
            "cannot say: com.acme.Dbb.query matches nothing in either report; did you mean "
            "com.acme.Db.query? "
            "(com.acme.Dbb.query? would be allowed to.)");
  EXPECT_EQ(outcome("calls(Db.query) under Handlr.get > 0", kOld.report(), kSlow.report()).verdict,
            Verdict::kCannotSay);
  EXPECT_EQ(said("calls(com.acme.Legacy.**?) > 0", kOld, kSlow), "holds: 0 in new.json");
  EXPECT_EQ(said("new contexts(**.log*)", kOld, kSlow).substr(0, 10), "cannot say");
  EXPECT_EQ(said("new contexts(**.log*?)", kOld, kSlow), "holds: 0 new contexts");
}

TEST(Gate, CannotSayWhereLostCallsDecide) {
  ReportModel now = kOld.report();
  now.totals.calls_lost = 5;
  now.totals.calls_seen += 5;
  EXPECT_EQ(said("calls(Db.query) > 7", kOld.report(), now),
            "cannot say: it depends on what is not known: 5 calls lost in new.json");
  EXPECT_EQ(said("calls(Db.query) > 2", kOld.report(), now), "broken: 3 in new.json")
      << "whatever was lost";
  EXPECT_EQ(said("calls(Db.query) > 8", kOld.report(), now), "holds: 3 in new.json")
      << "whatever was lost";
  EXPECT_EQ(said("calls(Db.query) > +0", now, kOld.report()),
            "holds: 3 in old.json, 3 in new.json: no change")
      << "OLD had no fewer";
  EXPECT_EQ(said("calls(Db.query) < +0", now, kOld.report()).substr(0, 10), "cannot say");
  EXPECT_EQ(said("new contexts(Db.query)", kOld.report(), now),
            "cannot say: it depends on what is not known: 5 calls lost in new.json");
}

TEST(Gate, CannotSayWhereEvictedContextsDecide) {
  SmallReport made;
  const auto top = made.node(0, made.method("com.acme.Main", "main"));
  const auto query = made.method("com.acme.Db", "query");
  made.node(top, query, 3, 1, 4);
  made.node(top, made.method(report::kEvictedClass, report::kEvictedName, "", ""), -1, 0, 6);
  made.model.totals.evicted_calls = 6;
  made.model.totals.evicted_contexts = 2;
  const ReportModel& now = made.model;
  EXPECT_EQ(said("calls(Db.query) > 9", now, now),
            "cannot say: it depends on what is not known: 6 calls of evicted contexts in new.json");
  EXPECT_EQ(said("calls(Db.query) > 10", now, now), "holds: 4 in new.json");
  EXPECT_EQ(said("calls(**) > 10", now, now), "broken: 11 in new.json") << "all are known";
  EXPECT_EQ(said("new contexts(Db.query)", now, now).substr(0, 10), "cannot say");
}

TEST(Gate, CannotSayWhereMergedRecursionHidesCallers) {
  ReportModel now = kSlow.report();
  now.totals.merged_methods = 1;
  EXPECT_EQ(
      said("calls(Db.query) under Batch.run > 2", kOld.report(), now),
      "cannot say: it depends on what is not known: recursion of 1 method is merged in new.json");
  EXPECT_EQ(said("calls(Db.query) under Batch.run > 1", kOld.report(), now),
            "broken: 2 in new.json");
  EXPECT_EQ(said("calls(Db.query) > 102", kOld.report(), now), "broken: 103 in new.json")
      << "calls of a method are exact";
}

TEST(Gate, CannotSayOfMethodsThatWereNotRecorded) {
  ReportModel now = kOld.report();
  now.skipped = {{"com.acme.Big", "parse(I)V", "too large"}, {"com.acme.Odd", "", "jsr"}};
  EXPECT_EQ(said("calls(Big.parse) > 0", kOld.report(), now),
            "cannot say: it depends on what is not known: com.acme.Big.parse (too large) is not "
            "recorded in new.json");
  EXPECT_EQ(said("calls(com.acme.Odd.run) > 0", kOld.report(), now),
            "cannot say: it depends on what is not known: com.acme.Odd (jsr) is not recorded in "
            "new.json");
  EXPECT_EQ(said("calls(Db.query) under Big.parse > 0", kOld.report(), now).substr(0, 10),
            "cannot say");
  EXPECT_EQ(said("calls(Db.query) > 3", kOld.report(), now), "holds: 3 in new.json");
  EXPECT_EQ(said("calls(**) > 7", kOld.report(), now), "holds: 7 in new.json")
      << "all that was recorded";
}

ReportModel with_measures(const Shop& shop, const std::vector<ReportModel::Measure>& measures) {
  ReportModel model = shop.report();
  model.measures = measures;
  for (ReportModel::Measure& measure : model.measures)
    measure.values.resize(model.nodes.parent.size());
  return model;
}

TEST(Gate, CountsOfAMeasureWhatIsBelowTooEachContextOnce) {
  // ROOT, main, get, find, query, run, query.
  const ReportModel model =
      with_measures(kOld, {{"contended_ns", "ns", 0, {0, 1, 2, 4, 8, 16, 32}}});
  EXPECT_EQ(said("contended(Handler.get) > 13", model, model), "broken: 14 ns in new.json");
  EXPECT_EQ(said("contended(com.acme.**) > 62", model, model), "broken: 63 ns in new.json");
  EXPECT_EQ(said("contended(Db) under Batch > 31", model, model), "broken: 32 ns in new.json");
  EXPECT_EQ(said("cont(Db) > 40", model, model), "holds: 40 ns in new.json");
  EXPECT_EQ(said("contended(Batch) / calls(Batch) > 47", model, model),
            "broken: 48.0 (48 ns by 1) in new.json");
}

TEST(Gate, CannotSayOfAMeasureThatAReportLacks) {
  const ReportModel has = with_measures(kOld, {{"contended_ns", "ns", 0, {}}});
  EXPECT_EQ(
      said("contended(**) > +0", kOld.report(), has),
      "cannot say: no waits for locks in old.json; record with --measure locks. It has: calls");
  EXPECT_EQ(said("contended(**) > 5", kOld.report(), has), "holds: 0 ns in new.json")
      << "OLD is not asked";
  EXPECT_EQ(
      said("contended(**) > 5", has, kOld.report()),
      "cannot say: no waits for locks in new.json; record with --measure locks. It has: calls");
  EXPECT_EQ(
      said("cals(**) > 5", kOld, kOld),
      "cannot say: cals: no such measure in either report; did you mean calls? They have: calls");
  ReportModel marked = kOld.report();
  marked.totals.calls_of = "marked methods";
  EXPECT_EQ(said("calls(**) > 5", marked, marked),
            "cannot say: new.json counts calls of marked methods alone");
}

TEST(Gate, CannotSayOfAReportWithoutCalls) {
  SmallReport empty;
  EXPECT_EQ(said("calls(**) < 5", kOld.report(), empty.model),
            "cannot say: new.json has no calls at all");
}

TEST(Gate, IsNotBrokenByWhatSamplesDifferBy) {
  const auto sampled = [](std::uint64_t samples) {
    return with_measures(kOld, {{"cpu_ns", "ns", 0, {0, 0, samples * 1000}},
                                {"cpu_samples", "samples", 0, {0, 0, samples}}});
  };
  EXPECT_EQ(said("cpu(Handler.get) > +5%", sampled(100), sampled(120)),
            "holds: 100 us in old.json, 120 us in new.json: +20 us, within chance | Samples: the "
            "difference to the "
            "bound is 0.99 standard errors, within the 2.00 that may be chance.");
  EXPECT_EQ(outcome("cpu(Handler.get) > +5%", sampled(100), sampled(200)).verdict,
            Verdict::kBroken);
  EXPECT_EQ(outcome("cpu(Handler.get) > +5%", sampled(100), sampled(200)).notes.size(), 1U)
      << "says how sure";
  EXPECT_EQ(outcome("cpu(Handler.get) > +5%", sampled(10'000), sampled(12'000)).verdict,
            Verdict::kBroken);
  EXPECT_EQ(outcome("cpu(Handler.get) > 0", sampled(3), sampled(3)).verdict, Verdict::kHolds)
      << "three samples";
  EXPECT_EQ(said("cpu(**) == +0", sampled(5), sampled(5)),
            "cannot say: == is of exact numbers, and cpu_ns is an estimate; write > or <");
}

TEST(Gate, IsNotBrokenByWhatRunsDifferBy) {
  const auto runs = [](const std::vector<std::uint64_t>& queries) {
    identity::RunRanges ranges;
    for (const std::uint64_t many : queries)
      ranges.add(Shop{.queries = many, .has_batch = false}.report());
    return ranges.take();
  };
  EXPECT_EQ(said("calls(Db.query) > +0", runs({1, 3}), runs({2, 4})),
            "holds: 1 to 3 in old.json, 2 to 4 in new.json: +1, +100 % | It may be broken or hold, "
            "within what the "
            "2 runs of old.json and the 2 runs of new.json differ by.");
  EXPECT_EQ(said("calls(Db.query) > +0", runs({1, 3}), runs({9, 4})),
            "broken: 1 to 3 in old.json, 4 to 9 in new.json: +8, +800 %")
      << "for every value";
  EXPECT_EQ(outcome("calls(Db.query) > 3", runs({1}), runs({2, 4})).verdict, Verdict::kHolds);
  EXPECT_EQ(outcome("calls(Db.query) > 4", runs({1}), runs({2, 4})).notes.size(), 0U);
  EXPECT_EQ(outcome("calls(Db.query) / calls(Dao.find) >= 2", runs({1}), runs({2, 4})).verdict,
            Verdict::kBroken);
}

TEST(Gate, DoesNotTakeAContextForNewThatNotEveryRunHas) {
  identity::RunRanges ranges;
  ranges.add(kOld.report());
  ranges.add(kLogging.report());
  const ReportModel some = ranges.take();
  EXPECT_EQ(said("new contexts(Log.log)", kOld.report(), some),
            "holds: 0 to 1 new contexts | It may be broken or hold, within what the 2 runs of "
            "new.json differ by.");
  EXPECT_EQ(said("new contexts(Log.log)", some, kLogging.report()), "holds: 0 new contexts")
      << "a run had it";
}

TEST(Gate, NotesThatOptionsOfTheReportsDiffer) {
  ReportModel before = kOld.report(), now = kSlow.report();
  before.options["include"] = "com.acme.**";
  now.options["include"] = "";
  EXPECT_EQ(said("calls(Db.query) > +0", before, now),
            "broken: 3 in old.json, 103 in new.json: +100, x 34.3 | The reports were recorded "
            "with different options: "
            "include is 'com.acme.**' in old.json and '' in new.json.");
}

TEST(Gate, NotesTheClassesThatHaveTheNameOfARule) {
  testing::SmallReport two;
  const auto main = two.node(0, two.method("com.acme.Main", "main"));
  two.node(main, two.method("com.acme.Db", "query"), 1, 1, 2);
  two.node(main, two.method("net.other.Db", "query"), 2, 2, 3);
  const ReportModel report = two.model;
  EXPECT_EQ(said("calls(Db.query) > 9", report, report),
            "holds: 5 in new.json | Db.query is a name in 2 classes: com.acme.Db, net.other.Db");
  EXPECT_EQ(outcome("calls(Main.main) / calls(Db) under Main > 9", report, report).notes,
            std::vector<std::string>{"Db is a name in 2 classes: com.acme.Db, net.other.Db"});
  for (const char* rule :
       {"calls(com.acme.Db.query) > 9", "calls(**.Db.query) > 9", "calls(Main) > 9"}) {
    EXPECT_TRUE(outcome(rule, report, report).notes.empty()) << rule;
  }
}

TEST(Gate, HasTheStatusOfTheWorstOutcome) {
  const auto with = [](std::vector<Verdict> verdicts) {
    std::vector<Outcome> outcomes;
    for (const Verdict verdict : verdicts) outcomes.emplace_back().verdict = verdict;
    return exit_status_of(outcomes);
  };
  EXPECT_EQ(with({Verdict::kHolds, Verdict::kHolds}), 0);
  EXPECT_EQ(with({Verdict::kCannotSay, Verdict::kBroken}), 1);
  EXPECT_EQ(with({Verdict::kHolds, Verdict::kCannotSay}), 2);
}

TEST(GateText, HasALineForEachRuleAndThenTheContexts) {
  const diff::Comparison comparison = compared(kOld.report(), kSlow.report());
  std::vector<Outcome> outcomes;
  for (const char* rule :
       {"calls(Db.query) under Handler.get > +0", "new contexts(**)", "calls(Doa) > 0"}) {
    outcomes.push_back(evaluate(rule_of(rule), comparison));
  }
  report::StringOutput out;
  write_text(outcomes, comparison, 100, out);
  ASSERT_TRUE(out.finish().ok());
  EXPECT_EQ(out.text(),
            "broken      calls(Db.query) under Handler.get > +0: 1 in old.json, 101 in new.json: "
            "+100, x 101\n"
            "holds       new contexts(**): 0 new contexts\n"
            "cannot say  calls(Doa) > 0: Doa matches nothing in either report; did you mean Dao? "
            "(Doa? would be\n"
            "            allowed to.)\n"
            "\n"
            "calls(Db.query) under Handler.get > +0\n"
            "  old  new  context\n"
            "    1  101  Db.query <- Dao.find:30 <- Handler.get:20 <- Main.main:10\n"
            "\n"
            "3 rules: 1 broken, 1 cannot say, 1 holds\n");
}

}  // namespace
}  // namespace copse::gate
