#include "compare/baseline/baseline.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "compare/diff/cut.h"
#include "compare/gate/evaluation.h"
#include "compare/gate/outcome_text.h"
#include "compare/identity/run_ranges.h"
#include "support/gate_reports.h"

namespace copse::baseline {
namespace {

using report::ReportModel;
using testing::Shop;

std::string text_of(const ReportModel& report, const BaselineChoice& choice = {}) {
  const Result<Baseline> made = chosen(report, choice);
  if (!made.ok()) return made.message();
  report::StringOutput out;
  write(*made, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

// The outcome of a rule on a baseline, as it reads back, and a report: "broken: 1 more context".
std::string said(const std::string& text, ReportModel now, const char* rule = "more contexts(**)") {
  Result<Baseline> old_one = read(text, "base.txt");
  if (!old_one.ok()) return old_one.message();
  report::PartOptions part;
  part.focus = old_one->focus;
  EXPECT_TRUE(report::cut(now, part).ok());
  Result<diff::Comparison> made =
      diff::compare(std::move(old_one->report), "base.txt", std::move(now), "new.json", {});
  if (!made.ok()) return made.message();
  diff::evict_alike(*made);
  const gate::Outcome outcome = gate::evaluate(testing::rule_of(rule), *made);
  return std::string(gate::name_of(outcome.verdict)) + ": " + gate::values_or_why(outcome);
}

ReportModel ranges_of(const ReportModel& a, const ReportModel& b) {
  identity::RunRanges ranges;
  ranges.add(a);
  ranges.add(b);
  return ranges.take();
}

const Shop kOld{.queries = 1000, .log = 2}, kMore{.queries = 1001, .log = 2},
    kFewer{.queries = 999, .log = 2}, kSilent{.queries = 1000};

TEST(Baseline, IsALineForEachContext) {
  EXPECT_EQ(text_of(kOld.report()),
            "copse baseline 1\n"
            "\n"
            "       calls\n"
            "           1  com.acme.Main.main()\n"
            "           1    com.acme.Batch.run()\n"
            "           2      com.acme.Db.query()\n"
            "           1    com.acme.Handler.get()\n"
            "           1      com.acme.Dao.find()\n"
            "       1,000        com.acme.Db.query()\n"
            "           2      com.acme.Log.log()\n");
}

TEST(Baseline, IsWrittenAgainAsItWasRead) {
  for (const std::string& text :
       {text_of(kOld.report()), text_of(ranges_of(kOld.report(), kMore.report())),
        text_of(kOld.report(), {{"Dao.find"}, {}, 1000}), text_of(kOld.report(), {{}, {}, 4})}) {
    const Result<Baseline> read_again = read(text, "base.txt");
    ASSERT_TRUE(read_again.ok()) << read_again.message() << text;
    report::StringOutput out;
    write(*read_again, out);
    ASSERT_TRUE(out.finish().ok());
    EXPECT_EQ(out.text(), text);
  }
}

TEST(Baseline, IsBrokenByEachContextThatIsCalledMoreOften) {
  const std::string text = text_of(kOld.report());
  EXPECT_EQ(said(text, kOld.report()), "holds: 0 more contexts");
  EXPECT_EQ(said(text, kMore.report()), "broken: 1 more context");
  EXPECT_EQ(said(text, kFewer.report()), "holds: 0 more contexts");
  EXPECT_EQ(said(text_of(kSilent.report()), kOld.report()), "broken: 1 more context");
  EXPECT_EQ(said(text, kMore.report(), "more contexts(Log.log)"), "holds: 0 more contexts");
  EXPECT_EQ(said(text, ReportModel(testing::SmallReport().model)),
            "cannot say: new.json has no calls at all");
}

TEST(Baseline, HasRangesWhereRunsDiffer) {
  const std::string text = text_of(ranges_of(kOld.report(), kMore.report()));
  EXPECT_NE(text.find("\nruns: 2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("1,000..1,001        com.acme.Db.query()\n"), std::string::npos) << text;
  EXPECT_EQ(said(text, kMore.report()), "holds: 0 to 1 more contexts");
  EXPECT_EQ(said(text, Shop{.queries = 1002, .log = 2}.report()), "broken: 1 more context");
}

TEST(Baseline, OfAPartComparesThatPart) {
  const std::string text = text_of(kSilent.report(), {{"Dao.find"}, {}, 1000});
  EXPECT_EQ(text,
            "copse baseline 1\n"
            "focus: Dao.find\n"
            "\n"
            "       calls\n"
            "           0  com.acme.Main.main()\n"
            "           0    com.acme.Handler.get()\n"
            "           1      com.acme.Dao.find()\n"
            "       1,000        com.acme.Db.query()\n");
  EXPECT_EQ(said(text, kOld.report()), "holds: 0 more contexts");
  EXPECT_EQ(said(text, kMore.report()), "broken: 1 more context");
}

TEST(Baseline, SumsContextsWithoutALineAtTheirCaller) {
  const std::string text = text_of(kOld.report(), {{}, {}, 5});
  EXPECT_NE(text.find("\nleft out: 5 contexts\n"), std::string::npos) << text;
  EXPECT_NE(text.find("           3    (others)\n"), std::string::npos) << text;
  EXPECT_EQ(said(text, kOld.report()), "holds: 0 more contexts");
  EXPECT_EQ(said(text, Shop{.queries = 1000, .log = 3}.report()), "broken: 1 more context");
  EXPECT_EQ(said(text, kMore.report()), "broken: 1 more context");
  EXPECT_EQ(said(text, kOld.report(), "new contexts(Log.log)").substr(0, 12), "cannot say: ");
  EXPECT_EQ(said(text, kOld.report(), "calls(Log.log) > +0").substr(0, 12), "cannot say: ");
}

TEST(Baseline, IsOfExactCalls) {
  ReportModel marked = kOld.report();
  marked.totals.calls_of = report::kMarkedMethods;
  EXPECT_EQ(text_of(marked), "counts calls of marked methods alone; a baseline has all calls");
  EXPECT_EQ(text_of(testing::SmallReport().model), "has no calls");
  EXPECT_EQ(text_of(kOld.report(), {{}, {"cpu"}, 1000}).substr(0, 15), "--measure cpu: ");
  EXPECT_EQ(text_of(kOld.report(), {{"Nothing"}, {}, 1000}).substr(0, 17), "--focus Nothing: ");
}

TEST(Baseline, NamesTheLineWithAMistake) {
  const std::string head = "copse baseline 1\n\n calls\n";
  for (const auto& [text, why] :
       {std::pair<std::string, std::string>{"copse baseline 2\n",
                                            ":1: is of another version than 1"},
        {"copse baseline 1\nruns 3\n", ":2: a line of the head is KEY: VALUE"},
        {"copse baseline 1\nrun: 3\n", ":2: 'run' is no key of the head"},
        {"copse baseline 1\nruns: many\n", ":2: 'many' is no number"},
        {"copse baseline 1\nlost: cpu_ns, 3\n", ":2: 'cpu_ns' is no measure of the head"},
        {"copse baseline 1\n", ":1: the contexts are missing"},
        {head + "  x  A.b()\n", ":4: 'x' is no number"},
        {head + "  1  b\n", ":4: 'b' is no method"},
        {head + "  1\n", ":4: a context has an amount of each measure, and its method"},
        {head + "  2..1  A.b()\n", ":4: a range begins with the least"},
        {head + "  1    A.b()\n",
         ":4: a context is two blanks further to the right than its caller"},
        {head + "  1  A.b()\n  1   A.b()\n",
         ":5: a context is two blanks further to the right than its caller"}}) {
    const Result<Baseline> made = read(text, "base.txt");
    ASSERT_FALSE(made.ok()) << text;
    EXPECT_EQ(made.message(), "base.txt" + why);
  }
}

}  // namespace
}  // namespace copse::baseline
