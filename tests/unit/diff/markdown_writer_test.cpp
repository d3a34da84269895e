
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "compare/diff/change_words.h"
#include "compare/diff/cut.h"
#include "compare/diff/writers.h"
#include "report/model/measure_view.h"
#include "support/small_report.h"

namespace copse::diff {
namespace {

using report::ReportModel;

// Main.main calls `callees` methods with such a name, each `calls` times.
ReportModel calls_of(const std::string& callee, int callees, std::uint64_t calls) {
  testing::SmallReport report;
  const auto main = report.node(0, report.method("p.Main", "main"));
  for (int i = 0; i < callees; ++i) {
    const std::string name = callee + (i == 0 ? "" : std::to_string(i));
    report.node(main, report.method("p.Dao", name), 10 + i, 1 + i, calls);
  }
  return std::move(report.model);
}

std::string markdown_of(ReportModel old_report, ReportModel new_report,
                        std::vector<ReportModel::Compared::Rule> rules = {},
                        std::optional<std::size_t> top = {}, std::size_t measure = 0) {
  Result<Comparison> comparison =
      compare(std::move(old_report), "a.json", std::move(new_report), "b.json", {});
  EXPECT_TRUE(comparison.ok()) << comparison.message();
  comparison->judged = std::move(rules);
  report::StringOutput out;
  write_markdown(*comparison, find_all(*comparison, measure), top, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

auto lines_of(const std::string& text) { return std::ranges::count(text, '\n'); }

TEST(Markdown, SaysNoChangeInOneLine) {
  EXPECT_EQ(markdown_of(calls_of("find", 1, 3), calls_of("find", 1, 3)),
            "No change of calls 4, contexts 2: `a.json` → `b.json`\n");
}

TEST(Markdown, HasTotalsAndEachChangeWithItsPath) {
  EXPECT_EQ(markdown_of(calls_of("find", 1, 3), calls_of("find", 2, 5)),
            "calls 4 → 11 (+7, +175 %), contexts 2 → 3 (+1, +50.0 %): `a.json` → `b.json`\n"
            "\n"
            "- **+5 calls** new: `Dao.find1 <- Main.main:11`\n"
            "- **+2 calls** more, 3 → 5: `Dao.find <- Main.main:10`\n");
}

TEST(Notes, NameTheOptionsWithWhichOneReportAloneWasRecorded) {
  const auto notes = [](std::map<std::string, std::string> old_options,
                        std::map<std::string, std::string> new_options) {
    ReportModel before = calls_of("find", 1, 3), now = calls_of("find", 1, 3);
    before.options = std::move(old_options);
    now.options = std::move(new_options);
    const auto comparison = compare(std::move(before), "a.json", std::move(now), "b.json", {});
    EXPECT_TRUE(comparison.ok()) << comparison.message();
    return notes_on(*comparison, 0);
  };
  using Lines = std::vector<std::string>;
  const std::string behind = ", the other not: contexts differ for that reason alone";
  EXPECT_EQ(notes({{"sites", "true"}, {"jdk", "false"}}, {{"sites", "true"}}), Lines());
  EXPECT_EQ(notes({{"sites", "true"}}, {{"sites", "false"}, {"by-thread", "group"}}),
            (Lines{"b.json: recorded with --by-thread group" + behind,
                   "b.json: recorded with --no-sites" + behind}));
  EXPECT_EQ(notes({{"include", "p.**"}}, {{"include", "q.**"}}),
            (Lines{"a.json: recorded with --include p.**" + behind,
                   "b.json: recorded with --include q.**" + behind}));
  EXPECT_EQ(notes({{"jdk", "true"}}, {}), Lines()) << "a report of another tool";
}

TEST(Words, OfAChangeAreAPercentageOrAFactor) {
  const auto ratio = [](std::uint64_t before, std::uint64_t now) {
    return ratio_in_words({before, 0}, {now, 0});
  };
  EXPECT_EQ(ratio(5'004, 205'007), "x 41.0");
  EXPECT_EQ(ratio(1, 12'419), "x 12,419");
  EXPECT_EQ(ratio(9, 12), "+33.3 %");
  EXPECT_EQ(ratio(10, 99), "+890 %");
  EXPECT_EQ(ratio(100, 11), "-89.0 %");
  EXPECT_EQ(ratio(100, 5), "x 1/20.0");
  EXPECT_EQ(ratio(100, 0), "-100 %");
  EXPECT_EQ(ratio(7, 7), "");
  EXPECT_EQ(ratio(0, 7), "");
}

// cpu time of so many samples of 10 ms.
Comparison sampled(std::uint64_t old_samples, std::uint64_t new_samples) {
  const auto report = [](std::uint64_t samples) {
    ReportModel model = calls_of("find", 1, 3);
    model.measures.push_back({"cpu_ns", "ns", 0, {0, 0, samples * 10'000'000}});
    model.measures.push_back({"cpu_samples", "events", 0, {0, 0, samples}});
    return model;
  };
  Result<Comparison> comparison =
      compare(report(old_samples), "a.json", report(new_samples), "b.json", {});
  EXPECT_TRUE(comparison.ok()) << comparison.message();
  return std::move(comparison).value();
}

TEST(Words, OfSamplesHaveNoMoreDigitsThanTheirErrorAllows) {
  const auto words = [](std::uint64_t old_samples, std::uint64_t new_samples) {
    const Comparison comparison = sampled(old_samples, new_samples);
    const std::vector<Total> totals = totals_of(comparison, 1);
    EXPECT_EQ(totals.size(), 2u) << "calls, and no numbers of samples";
    const Total& total = totals.back();
    return in_words(total.unit, total.before) + " " + in_words(total.unit, total.now) + " " +
           change_in_words(total.unit, total.before, total.now) + " " +
           ratio_in_words(total.before, total.now);
  };
  EXPECT_EQ(words(58, 80), "580 ms 800 ms +220 ms within chance");
  EXPECT_EQ(words(58, 160), "580 ms 1.60 s +1.02 s +180 %");
  EXPECT_EQ(words(10'000, 10'500), "100 s 105 s +5.0 s +5.0 %");
  EXPECT_EQ(words(4, 400), "40 ms 4.0 s +4.0 s x 100");
  EXPECT_EQ(words(0, 3), "0 ns 30 ms +30 ms within chance");
}

// main 1 s and the JVM's own threads so much of cpu time; a thread without any recorded method waits.
ReportModel with_others(std::uint64_t jvm_ns, std::uint64_t waiting_ns) {
  testing::SmallReport report;
  report.node(0, report.method("", std::string(report::kThreadsWithoutCalls), ""), -1, 0, 0);
  report.node(0, report.method("", "(no recorded caller)", ""), -1, 0, 0);
  report.node(0, report.method("p.Main", "main"));
  report.model.measures.push_back({"cpu_ns", "ns", 0, {0, jvm_ns, 0, 1'000'000'000}});
  report.model.measures.push_back({"waiting_ns", "ns", 0, {0, 0, waiting_ns, 5'000'000}});
  return std::move(report.model);
}

TEST(Totals, AreOfTheProgramAndTellWhatIsLeftOut) {
  Result<Comparison> comparison = compare(with_others(8'000'000'000, 70'000'000), "a.json",
                                          with_others(3'000'000'000, 90'000'000), "b.json", {});
  ASSERT_TRUE(comparison.ok()) << comparison.message();
  const auto rows = [&] {
    std::vector<std::string> words;
    for (const Total& total : totals_of(*comparison, 0)) {
      words.push_back(total.name + ": " + in_words(total.unit, total.before) + ", " +
                      in_words(total.unit, total.now));
    }
    return words;
  };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(rows(),
            (Lines{"calls: 1, 1", "cpu time: 9.00 s, 4.00 s", "waiting time: 75.0 ms, 95.0 ms"}));
  leave_out(*comparison);
  EXPECT_EQ(rows(), (Lines{"calls: 1, 1", "cpu time of the program: 1.00 s, 1.00 s",
                           "cpu time of the JVM, left out: 8.00 s, 3.00 s",
                           "waiting time of the program: 5.00 ms, 5.00 ms",
                           "waiting time of idle threads, left out: 70.0 ms, 90.0 ms"}));
  EXPECT_EQ(comparison->measures[1].old_whole, 1'000'000'000u);
  EXPECT_TRUE(find_all(*comparison, 1).changes.list.empty());
  EXPECT_TRUE(comparison->both.notes.empty());
}

TEST(Text, TellsTheErrorsOfSamples) {
  const auto text = [](std::uint64_t old_samples, std::uint64_t new_samples) {
    report::StringOutput out;
    const Comparison comparison = sampled(old_samples, new_samples);
    write_text(comparison, find_all(comparison, 1), {10, 120}, out);
    EXPECT_TRUE(out.finish().ok());
    return out.text().substr(out.text().find("\nTotals"));
  };
  EXPECT_EQ(text(58, 80),
            "\nTotals\n"
            "   old     new   change   error\n"
            "     4       4        0                         calls\n"
            "580 ms  800 ms  +220 ms  120 ms  within chance  cpu time\n"
            "     2       2        0                         contexts with calls\n"
            "  contexts: 0 new, 0 gone, 0 with more calls, 0 with fewer, 2 with as many\n"
            "\n"
            "No change of cpu time beyond chance.\n"
            "The other +220 ms may be chance: less than two standard errors of the samples.\n");
  EXPECT_EQ(
      text(58, 160),
      "\nTotals\n"
      "   old     new   change   error\n"
      "     4       4        0                  calls\n"
      "580 ms  1.60 s  +1.02 s  150 ms  +180 %  cpu time\n"
      "     2       2        0                  contexts with calls\n"
      "  contexts: 0 new, 0 gone, 0 with more calls, 0 with fewer, 2 with as many\n"
      "\n"
      "Topmost changes of cpu time (with everything below them, but what other changes tell)\n"
      " change   error                    old     new  old calls  new calls  context\n"
      "+1.02 s  150 ms  more per call  580 ms  1.60 s          3          3  Dao.find <- "
      "Main.main:10\n"
      "\n"
      "Methods by exclusive cpu time\n"
      " change   error     old     new  old calls  new calls  method\n"
      "+1.02 s  150 ms  580 ms  1.60 s          3          3  p.Dao.find\n"
      "\n"
      "Packages by exclusive cpu time\n"
      " change   error     old     new  package\n"
      "+1.02 s  150 ms  580 ms  1.60 s  p\n");
}

TEST(Markdown, SaysWithWhatAChangeCompares) {
  const auto shop = [](std::uint64_t handled, std::uint64_t found, std::uint64_t wall) {
    testing::SmallReport report;
    const auto main = report.node(0, report.method("p.Main", "main"));
    const auto handle = report.node(main, report.method("p.Handler", "handle"), 10, 1, handled);
    report.node(handle, report.method("p.Dao", "find"), 20, 1, found);
    report.model.measures.push_back({"wall_ns", "ns", 0, {0, 0, 0, wall}});
    return std::move(report.model);
  };
  const auto has = [](const std::string& text, const std::string& line) {
    EXPECT_NE(text.find("- " + line + ": `Dao.find"), std::string::npos) << text;
  };
  const ReportModel before = shop(100, 1500, 3000);
  has(markdown_of(before, shop(250, 3000, 3000)), "**-750 calls** fewer per caller, 1,500 → 3,000");
  const std::string text = markdown_of(before, shop(100, 750, 2000), {}, {}, 1);
  has(text, "**-1.00 us wall time** fewer calls, 3.00 us → 2.00 us in 1,500 → 750 calls");
  has(markdown_of(before, shop(100, 1500, 2000), {}, {}, 1),
      "**-1.00 us wall time** less per call, 3.00 us → 2.00 us");
}

TEST(Markdown, HasTenLinesAtMost) {
  const ReportModel before = calls_of("find", 30, 1), now = calls_of("find", 30, 7);
  const std::string text = markdown_of(before, now);
  EXPECT_EQ(lines_of(text), 11) << text;  // one is blank
  EXPECT_NE(text.find("- and 22 more changes\n"), std::string::npos) << text;
  std::vector<ReportModel::Compared::Rule> rules(7);
  for (auto& rule : rules) rule = {"calls(find) > 3", "broken", "7", {}, "calls", {}, 0};
  rules[6].outcome = "holds";
  const std::string judged = markdown_of(before, now, rules);
  EXPECT_EQ(lines_of(judged), 11) << judged;
  EXPECT_NE(judged.find("- **broken** `calls(find) > 3`: `7`\n"), std::string::npos) << judged;
  EXPECT_NE(judged.find("- 3 other rules broken or not to be decided, 1 rule holds: "),
            std::string::npos);
  EXPECT_EQ(lines_of(markdown_of(before, now, {}, 30)), 32) << "30 changes were asked for";
}

TEST(Markdown, NamesTheContextThatBrokeARule) {
  const std::string text =
      markdown_of(calls_of("find", 1, 3), calls_of("find", 1, 4),
                  {{"calls(find) > 3", "broken", "4 in b.json", {}, "calls", {{2, 3, 4}}, 0}});
  EXPECT_NE(
      text.find("- **broken** `calls(find) > 3`: `4 in b.json`, in `Dao.find <- Main.main:10`"),
      std::string::npos)
      << text;
}

TEST(Markdown, SaysOneCall) {
  const std::string text = markdown_of(calls_of("find", 1, 3), calls_of("find", 1, 4));
  EXPECT_NE(text.find("- **+1 call** more, 3 → 4: "), std::string::npos) << text;
}

TEST(Markdown, KeepsNamesOfTheProgramWithoutEffect) {
  const std::string text =
      markdown_of(calls_of("<init>", 1, 1), calls_of("a|`<b>`@me#1\n* x", 1, 1));
  EXPECT_NE(text.find("new: ``Dao.a|`<b>`@me#1\\u000a* x <- Main.main:10``\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("gone: `Dao.<init> <- Main.main:10`\n"), std::string::npos) << text;
}

TEST(Markdown, PutsMoreBackticksAroundACodeSpanThanItHas) {
  EXPECT_EQ(code_span("a"), "`a`");
  EXPECT_EQ(code_span("a`b"), "``a`b``");
  EXPECT_EQ(code_span("`a``b"), "``` `a``b ```");
  EXPECT_EQ(code_span(" a "), "`  a  `");
  EXPECT_EQ(code_span(""), "`  `");
}

}  // namespace
}  // namespace copse::diff
