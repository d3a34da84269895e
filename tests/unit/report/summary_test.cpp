// Tables of the summary: room, rows and columns.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "report/output.h"
#include "report/text/text_formats.h"
#include "support/small_report.h"

namespace copse::report {
namespace {

std::string summary_of(const ReportModel& model, std::size_t width = 100) {
  StringOutput out;
  SummaryOptions options;
  options.width = width;
  write_summary(model, options, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string behind(const std::string& text, const std::string& heading) {
  const std::size_t start = text.find(heading);
  EXPECT_NE(start, std::string::npos) << heading << " in " << text;
  return start == std::string::npos ? "" : text.substr(start);
}

// Threads in rows of their own, each with an exception that no recorded method threw, and a method with one.
ReportModel by_thread() {
  testing::SmallReport report;
  const std::int32_t thrown =
      report.method("", "throw demo.Missing at demo.Outside.find:3", "", "");
  for (const char* const name : {"[main]", "[pool-*-thread-*]"}) {
    const std::int32_t thread = report.node(0, report.method("", name, "", ""), -1, 0, 0);
    report.node(thread, thrown, -1, 0, 0);
  }
  const std::int32_t run = report.node(3, report.method("demo.Task", "run"));
  report.node(run, thrown, -1, 0, 0);
  report.model.totals.calls = report.model.totals.calls_seen = 1;
  report.model.measures.push_back({"exceptions", "count", 0, {0, 0, 1, 0, 2, 0, 4}, {1, 6}});
  report.model.threads = {{1, "main", 1, 0}, {2, "pool-1-thread-7", 3, 1}};
  report.model.totals.threads = 2;
  report.model.shown = "exceptions";
  return std::move(report.model);
}

TEST(Summary, HasOneRowForWhatThreadsDoOutsideOfRecordedMethods) {
  const std::string methods = behind(summary_of(by_thread()), "Hot methods by exceptions");
  EXPECT_TRUE(has(methods, "3  42.9 %")) << methods;
  EXPECT_TRUE(has(methods, "(no recorded caller)")) << methods;
  EXPECT_TRUE(has(methods, "4  57.1 %")) << methods;
}

TEST(Summary, LeavesOutColumnsInWhichNoRowSaysAnything) {
  std::string contexts = behind(summary_of(by_thread()), "Hot contexts");
  contexts.resize(contexts.find("Hot methods by calls"));
  EXPECT_FALSE(has(contexts, "calls")) << contexts;
  EXPECT_FALSE(has(contexts, "per call")) << contexts;
}

TEST(Summary, SaysThatAnExceptionThrownAgainCountsAgain) {
  EXPECT_TRUE(has(summary_of(by_thread()), "thrown again counts once more"));
}

TEST(Summary, NamesAThreadAsItsOwnRowDoes) {
  const std::string text = summary_of(by_thread());
  EXPECT_FALSE(has(text, "pool-1-thread-7")) << text;
  EXPECT_TRUE(has(text, "pool-*-thread-*")) << text;
}

TEST(Summary, NamesTheColumnsOfThreadsThatHaveNoRoom) {
  ReportModel model = by_thread();
  for (const char* const name : {"waiting_ns", "parked_ns", "sleeping_ns"}) {
    model.measures.push_back(
        {name, "ns", 0, std::vector<std::uint64_t>(7), {5'000'000, 7'000'000}});
  }
  const std::string narrow = summary_of(model, 70);
  const std::string wanted = "(no room for ";
  ASSERT_TRUE(has(narrow, wanted)) << narrow;
  const std::string width = behind(behind(narrow, wanted), "--width ").substr(8);
  const std::string wide = summary_of(model, std::stoul(width));
  EXPECT_FALSE(has(wide, wanted)) << wide;
  EXPECT_TRUE(has(summary_of(model, std::stoul(width) - 1), wanted));
}

// In the width of most terminals: the costs of a call, which the ranking of methods has too, give way.
TEST(Summary, ShowsTheFirstCallerOfAContextInEightyCharacters) {
  testing::SmallReport report;
  std::vector<std::uint64_t> times = {0};
  std::int32_t caller = 0;
  for (const char* const name : {"main", "renderAllPages", "renderPage", "formatDouble"}) {
    caller = report.node(caller, report.method("demo.render.PageRenderer", name), -1, 0, 2);
    times.push_back(7'654'321'000);
  }
  report.model.measures.push_back({"cpu_ns", "ns", 0, times});
  report.model.measures.push_back({"cpu_samples", "samples", 0, {0, 700, 700, 700, 700}});
  report.model.totals.calls = report.model.totals.calls_seen = 8;
  report.model.shown = "cpu_ns";
  const std::string contexts = behind(summary_of(report.model, 80), "Hot contexts");
  EXPECT_TRUE(has(contexts, "PageRenderer.formatDouble <- PageRenderer.renderPage")) << contexts;
  EXPECT_TRUE(has(behind(summary_of(report.model, 200), "Hot contexts"), "ns/call")) << contexts;
}

// An event of few methods leaves the room to the methods' names.
TEST(Summary, GivesNamesOfMethodsTheirRoom) {
  testing::SmallReport report;
  std::vector<std::uint64_t> times = {0};
  for (int i = 0; i < 5; ++i) {
    report.node(0, report.method("demo.long_package.of_many_words.Translator",
                                 "translateEverything" + std::to_string(i)));
    times.push_back(900);
  }
  report.node(
      5,
      report.method(
          "", "park java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject", "", ""),
      -1, 0, 0);
  times.push_back(50);
  report.model.measures.push_back({"wall_ns", "ns", 0, times});
  report.model.totals.calls = report.model.totals.calls_seen = 5;
  report.model.shown = "wall_ns";
  const std::string methods = behind(summary_of(report.model, 110), "Hot methods by wall");
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(has(methods, "Translator.translateEverything" + std::to_string(i))) << methods;
  }
}

}  // namespace
}  // namespace copse::report
