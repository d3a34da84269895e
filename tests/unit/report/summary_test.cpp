// Tables of the summary: room, rows and columns.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "report/model/output.h"
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

// Expects of a table that it names columns without room, and the least width that has room for all. Returns the narrow
// table.
std::string expect_exact_width(const ReportModel& model, const std::string& heading,
                               std::size_t narrow, const std::string& end = "\n\n") {
  const auto table = [&](std::size_t width) {
    const std::string text = behind(summary_of(model, width), heading);
    return text.substr(0, text.find(end, 1));
  };
  const std::string wanted = "(no room for ", text = table(narrow);
  EXPECT_TRUE(has(text, wanted)) << text;
  if (!has(text, wanted)) return text;
  const std::size_t width = std::stoul(behind(behind(text, wanted), "--width ").substr(8));
  EXPECT_FALSE(has(table(width), wanted)) << table(width);
  EXPECT_TRUE(has(table(width - 1), wanted)) << table(width - 1);
  return text;
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
  expect_exact_width(model, "\nThreads\n", 70);
}

TEST(Summary, NamesTheColumnsOfMethodsThatHaveNoRoom) {
  testing::SmallReport report;
  std::vector<std::uint64_t> times = {0};
  const std::int32_t parked = report.method(
      "", "park java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject", "", "");
  for (int i = 0; i < 5; ++i) {
    const std::string name = "waitForTheNextOfManyOrders" + std::to_string(i);
    const std::int32_t node =
        report.node(0, report.method("demo.many_words.OrderQueue", name), -1, 0, 3);
    report.node(node, parked, -1, 0, 0);
    times.insert(times.end(), {0, 9'000'000'000});
  }
  report.model.measures.push_back({"parked_ns", "ns", 0, times});
  report.model.totals.calls = report.model.totals.calls_seen = 15;
  report.model.shown = "parked_ns";
  const std::string narrow =
      expect_exact_width(report.model, "Hot methods by parked", 80, "\nBy blocker");
  EXPECT_TRUE(has(narrow, "blocker: --width ")) << narrow;
}

TEST(Summary, NeverCutsAMethodOrItsFirstCallerBesideACostOfACall) {
  testing::SmallReport report;
  const std::string callee = "isOnThePreviousLineIgnoringAllComments", caller = "closureOfStates";
  std::vector<std::uint64_t> times = {0, 0, 7'654'321'000};
  const std::int32_t first = report.node(0, report.method("demo.Indentation", caller), -1, 0, 2);
  report.node(first, report.method("demo.Indentation", callee), 1499, 0, 3);
  report.model.measures.push_back({"cpu_ns", "ns", 0, times});
  report.model.measures.push_back({"cpu_samples", "samples", 0, {0, 0, 700}});
  report.model.totals.calls = report.model.totals.calls_seen = 5;
  report.model.shown = "cpu_ns";
  for (std::size_t width = 70; width < 180; ++width) {
    std::string contexts = behind(summary_of(report.model, width), "Hot contexts");
    contexts.resize(std::min(contexts.find("\n\n"), contexts.find("(no room")));
    EXPECT_TRUE(has(contexts, callee) && has(contexts, caller + ":1499")) << contexts;
    if (!has(contexts, "ns/call")) continue;
    EXPECT_TRUE(has(contexts, callee + " <- " + caller) ||
                has(contexts, callee + " <- Indentation." + caller))
        << contexts;
  }
  expect_exact_width(report.model, "Hot contexts", 100, "\n\n");
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
