#include "import/stack_matcher.h"

#include <gtest/gtest.h>

#include "agent/run_description.h"
#include "support/small_report.h"

namespace copse::join {
namespace {

using testing::SmallReport;
using Rows = std::vector<std::int32_t>;

constexpr std::int32_t kRootRow = 0;

Frame frame(const std::string& name, std::int32_t line = -1, std::int32_t bci = -1,
            const std::string& descriptor = "") {
  const std::size_t dot = name.rfind('.');
  return {name.substr(0, dot), name.substr(dot + 1), descriptor, line, bci};
}

struct Found {
  Outcome outcome;
  Rows rows;
  std::string why;
};

// Matches one stack, outermost frame first.
Found match(const SmallReport& report, const std::vector<Frame>& frames,
            std::uint32_t root = SampledStacks::kWhole) {
  SampledStacks stacks(FrameReading::kToCompare);
  stacks.add_value("samples");
  std::vector<FrameId> ids;
  for (const Frame& one : frames) ids.push_back(stacks.frame(one));
  EXPECT_TRUE(stacks.add(ids, root, 0, {.amount = 1}).ok());
  std::vector<Found> found;
  StackMatcher(report.model, stacks)
      .match(0, [&](const Match& one, const StackMatcher::Stack& stack) {
        EXPECT_EQ(stack.amount, 1u);
        EXPECT_EQ(stack.is_cut, root == SampledStacks::kCut);
        found.push_back({one.outcome, Rows(one.nodes.begin(), one.nodes.end()), one.why});
      });
  EXPECT_EQ(found.size(), 1u);
  return found.front();
}

void expect_context(const Found& found, std::int32_t row) {
  EXPECT_EQ(found.outcome, Outcome::kContext) << found.why;
  EXPECT_EQ(found.rows, (Rows{row}));
}

void expect_unmatched(const Found& found, const std::string& why) {
  EXPECT_EQ(found.outcome, Outcome::kUnmatched);
  EXPECT_EQ(found.why, why);
}

// main calls work at lines 10 and 12, and there twice; work calls log.
struct MainWorkLog : SmallReport {
  const std::int32_t log = method("a.Log", "log");
  const std::int32_t main = method("a.Main", "main");
  const std::int32_t work = method("a.Main", "work");
  const std::int32_t main_row = node(kRootRow, main);
  const std::int32_t work_10 = node(main_row, work, 10, 3);
  const std::int32_t log_10 = node(work_10, log, 20, 5);
  const std::int32_t work_12 = node(main_row, work, 12, 30);
  const std::int32_t log_12 = node(work_12, log, 20, 5);
  const std::int32_t work_12_again = node(main_row, work, 12, 40);
};

TEST(StackMatcher, TellsContextsApartByLine) {
  const MainWorkLog report;
  expect_context(match(report, {frame("a.Main.main", 10), frame("a.Main.work")}), report.work_10);
  expect_context(
      match(report, {frame("a.Main.main", 10), frame("a.Main.work", 20), frame("a.Log.log")}),
      report.log_10);
  expect_context(match(report, {frame("a.Main.main")}), report.main_row);
}

TEST(StackMatcher, TellsTwoCallsInOneLineApartByBytecodeIndex) {
  const MainWorkLog report;
  EXPECT_EQ(match(report, {frame("a.Main.main", 12), frame("a.Main.work")}).rows,
            (Rows{report.work_12, report.work_12_again}));
  expect_context(match(report, {frame("a.Main.main", 12, 40), frame("a.Main.work")}),
                 report.work_12_again);
  // One that none of them has, as of changed bytecode, tells nothing.
  EXPECT_EQ(match(report, {frame("a.Main.main", 12, 99), frame("a.Main.work")}).rows,
            (Rows{report.work_12, report.work_12_again}));
}

TEST(StackMatcher, KeepsAllContextsThatAStackCanBeOf) {
  const MainWorkLog report;
  const Found found =
      match(report, {frame("a.Main.main"), frame("a.Main.work"), frame("a.Log.log")});
  EXPECT_EQ(found.outcome, Outcome::kAmbiguous);
  EXPECT_EQ(found.rows, (Rows{report.log_10, report.log_12}));
}

TEST(StackMatcher, LeavesOutFramesThatWereNotRecorded) {
  const MainWorkLog report;
  expect_context(match(report, {frame("java.lang.Thread.run"), frame("a.Main.main", 10),
                                frame("a.Main$$Lambda.apply"), frame("java.util.List.sort", 99),
                                frame("a.Main.work", 20), frame("java.io.Writer.write")}),
                 report.work_10);
}

TEST(StackMatcher, FindsNoContextWhereTheReportHasNoSuchCall) {
  const MainWorkLog report;
  expect_unmatched(match(report, {frame("a.Main.main", 11), frame("a.Main.work")}),
                   "a.Main.work: the report has no call of it from a.Main.main:11 in this context");
  expect_unmatched(
      match(report, {frame("a.Main.main", 10), frame("a.Log.log"), frame("a.Main.work")}),
      "a.Log.log: the report has no call of it from a.Main.main:10 in this context");
  expect_unmatched(match(report, {frame("a.Main.work")}),
                   "a.Main.work: no thread of the report begins with it");
}

TEST(StackMatcher, DoesNotTakeACallThatNeverHappenedForOneThatIsNotRecorded) {
  MainWorkLog report;
  const std::vector<Frame> stack = {frame("a.Main.main", 10), frame("a.Main.rare"),
                                    frame("a.Log.log")};
  expect_unmatched(match(report, stack), "a.Main.rare: the report has no call of it");
  report.model.options["exclude"] = "b.** a.Main.rare";
  expect_unmatched(match(report, stack),
                   "a.Log.log: the report has no call of it from a.Main.main:10 in this context");
  report.model.options.erase("exclude");
  report.model.skipped.push_back({"a.Main", "rare()V", "too large"});
  expect_context(match(report, {frame("a.Main.main", 10), frame("a.Main.rare")}), report.main_row);
}

TEST(StackMatcher, LeavesOutFramesThatWereThereWhenRecordingBegan) {
  SmallReport report;
  const std::int32_t day = report.method("a.Main", "day");
  const std::int32_t day_row = report.node(kRootRow, day);
  const std::vector<Frame> stack = {frame("a.Main.main", 10), frame("a.Main.day")};
  expect_unmatched(match(report, stack), "a.Main.main: the report has no call of it");
  report.model.notes.push_back(agent::attach_note());
  expect_context(match(report, stack), day_row);
  expect_unmatched(match(report, {frame("a.Main.day", 3), frame("a.Main.rare")}),
                   "a.Main.rare: the report has no call of it");
}

TEST(StackMatcher, PutsWholeStacksOfOtherCodeOutside) {
  const MainWorkLog report;
  EXPECT_EQ(match(report, {frame("java.lang.Thread.run")}).outcome, Outcome::kOutside);
  EXPECT_EQ(match(report, {}).outcome, Outcome::kOutside);
  EXPECT_EQ(match(report, {}, SampledStacks::kCut).outcome, Outcome::kUnmatched);
}

TEST(StackMatcher, MatchesACutStackByItsEnd) {
  const MainWorkLog report;
  const std::uint32_t cut = SampledStacks::kCut;
  EXPECT_EQ(match(report, {frame("a.Main.work", 20), frame("a.Log.log")}, cut).rows,
            (Rows{report.log_10, report.log_12}));
  expect_context(match(report, {frame("a.Main.main", 10), frame("a.Main.work", 20)}, cut),
                 report.work_10);
  expect_unmatched(match(report, {frame("a.Main.work", 21), frame("a.Log.log")}, cut),
                   "a.Log.log: the report has no call of it from a.Main.work:21 in this context");
  expect_unmatched(match(report, {frame("java.lang.Thread.run")}, cut),
                   "no stack, or none of its frames recorded before it is cut");
}

TEST(StackMatcher, TellsOverloadsApartByDescriptor) {
  SmallReport report;
  const std::int32_t of_int = report.method("a.A", "f", "(I)V");
  const std::int32_t of_long = report.method("a.A", "f", "(J)V");
  const std::int32_t one = report.node(kRootRow, of_int);
  const std::int32_t other = report.node(kRootRow, of_long);
  expect_context(match(report, {frame("a.A.f", -1, -1, "(J)V")}), other);
  EXPECT_EQ(match(report, {frame("a.A.f")}).rows, (Rows{one, other}));
  expect_unmatched(match(report, {frame("a.A.f", -1, -1, "(D)V")}),
                   "a.A.f: the report has no call of it");
}

TEST(StackMatcher, TakesAnyLineWhereTheRuntimeCalls) {
  SmallReport report;
  const std::int32_t main = report.method("a.A", "main");
  const std::int32_t clinit = report.method("a.B", "<clinit>");
  const std::int32_t main_row = report.node(kRootRow, main);
  const std::int32_t clinit_row = report.node(main_row, clinit);
  expect_context(match(report, {frame("a.A.main", 4, 2), frame("a.B.<clinit>", 1)}), clinit_row);
}

TEST(StackMatcher, GivesWhatHasNoContextToTheEvictedOnes) {
  SmallReport report;
  const std::int32_t evicted = report.method(report::kEvictedClass, report::kEvictedName, "", "");
  const std::int32_t main = report.method("a.A", "main");
  const std::int32_t run = report.method("a.A", "run");
  const std::int32_t main_row = report.node(kRootRow, main);
  const std::int32_t evicted_row = report.node(main_row, evicted, -1, 0, 9);
  const std::int32_t run_row = report.node(main_row, run, 5, 1);
  report.model.totals.evicted_calls = 9;
  expect_context(match(report, {frame("a.A.main", 5), frame("a.A.run")}), run_row);
  expect_context(match(report, {frame("a.A.main", 6), frame("a.A.run")}), evicted_row);
  expect_context(
      match(report, {frame("a.A.main", 6), frame("a.A.gone"), frame("a.A.run"), frame("a.A.main")}),
      evicted_row);
  // Its node was made after its first callees were evicted with it.
  expect_context(match(report, {frame("a.A.main", 5), frame("a.A.run"), frame("a.A.gone")}),
                 evicted_row);
}

TEST(StackMatcher, TakesCallsOfMergedRecursionUpToTheirNode) {
  SmallReport report;
  const std::int32_t rec = report.method("a.A", "rec");
  const std::int32_t leaf = report.method("a.A", "leaf");
  const std::int32_t rec_row = report.node(kRootRow, rec);
  const std::int32_t leaf_row = report.node(rec_row, leaf, 7, 1);
  const std::vector<Frame> stack = {frame("a.A.rec", 5), frame("a.A.rec", 5), frame("a.A.rec", 7),
                                    frame("a.A.leaf")};
  EXPECT_EQ(match(report, stack).outcome, Outcome::kUnmatched);
  report.model.totals.merged_methods = 1;
  expect_context(match(report, stack), leaf_row);
  expect_context(match(report, {frame("a.A.rec", 7), frame("a.A.leaf", 9), frame("a.A.rec")}),
                 rec_row);
}

TEST(StackMatcher, TakesNoRecursionForMergedThatTheReportHas) {
  SmallReport report;
  const std::int32_t rec = report.method("a.A", "rec");
  const std::int32_t first = report.node(kRootRow, rec);
  const std::int32_t second = report.node(first, rec, 5, 1);
  report.model.totals.merged_methods = 1;
  expect_context(match(report, {frame("a.A.rec", 5), frame("a.A.rec")}), second);
  EXPECT_EQ(match(report, {frame("a.A.rec", 5), frame("a.A.rec", 5), frame("a.A.rec")}).outcome,
            Outcome::kUnmatched);
}

// Natives and intrinsics of the JDK have a node where their call is bound statically only.
TEST(StackMatcher, LeavesOutANativeOfTheJdkThatIsNotCountedThere) {
  SmallReport report;
  report.model.options["jdk"] = "true";
  const std::int32_t main = report.method("a.A", "main");
  const std::int32_t hash = report.method("java.lang.Object", "hashCode", "()I", "boot");
  const std::int32_t put = report.method("java.util.HashMap", "put", "()V", "boot");
  const std::int32_t main_row = report.node(kRootRow, main);
  const std::int32_t hash_row = report.node(main_row, hash, 4, 1);
  const std::int32_t put_row = report.node(main_row, put, 5, 1);
  expect_context(match(report, {frame("a.A.main", 4), frame("java.lang.Object.hashCode")}),
                 hash_row);
  expect_context(match(report, {frame("a.A.main", 5), frame("java.util.HashMap.put", 8),
                                frame("java.lang.Object.hashCode")}),
                 put_row);
  EXPECT_EQ(match(report, {frame("a.A.main", 5), frame("java.util.HashMap.put", 8),
                           frame("java.lang.Object.hashCode"), frame("a.A.main")})
                .outcome,
            Outcome::kUnmatched);
}

TEST(StackMatcher, FollowsAHundredThousandFrames) {
  constexpr int kDepth = 100'000;
  SmallReport report;
  const std::int32_t rec = report.method("a.A", "rec");
  std::int32_t row = kRootRow;
  for (int i = 0; i < kDepth; ++i) row = report.node(row, rec, i == 0 ? -1 : 5, 1);
  expect_context(match(report, std::vector<Frame>(kDepth, frame("a.A.rec", 5))), row);
}

}  // namespace
}  // namespace copse::join
