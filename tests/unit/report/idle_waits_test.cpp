#include "report/model/idle_waits.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "report/model/output.h"
#include "report/text/text_formats.h"
#include "support/small_report.h"

namespace copse::report {
namespace {

// Rows of the report; each has 10 ms by the clock; runnable_ns says how much of it is busy.
enum Row : std::size_t {
  kRoot,
  kOutside,
  kOutsidePark,
  kGetTask,
  kTake,
  kPark,
  kTask,
  kTaskPark,
  kLoop,
  kLoopPark
};

ReportModel pools() {
  testing::SmallReport report;
  const std::int32_t outside = report.method("", std::string(kNoRecordedCaller), "", "");
  const std::int32_t park = report.method("", "park a.Lock", "", "");
  const std::int32_t get =
      report.method("java.util.concurrent.ThreadPoolExecutor", "getTask", "()V", "boot");
  const std::int32_t take =
      report.method("java.util.concurrent.LinkedBlockingQueue", "take", "()V", "boot");
  const std::int32_t task = report.method("shop.Task", "run");
  const std::int32_t loop = report.method("shop.Consumer", "loop");
  report.node(0, outside, -1, 0, 0);
  report.node(kOutside, park, -1, 0, 0);
  report.node(0, get, -1, 0, 1);
  report.node(kGetTask, take, 5, 1, 1);
  report.node(kTake, park, 5, 2, 0);
  report.node(kGetTask, task, 6, 1, 1);
  report.node(kTask, park, 7, 2, 0);
  report.node(0, loop, -1, 0, 1);
  report.node(kLoop, park, 8, 1, 0);
  report.model.measures.push_back({"wall_ns", "ns", 0, {0, 10, 10, 10, 10, 10, 10, 10, 10, 10}});
  report.model.measures.push_back({"runnable_ns", "ns", 0, {0, 3, 0, 4, 0, 0, 9, 0, 10, 0}});
  report.model.measures.push_back({"blocked_ns", "ns", 0, {0, 1, 0, 0, 0, 0, 0, 0, 0, 0}});
  report.model.measures.push_back({"parked_ns", "ns", 0, {0, 0, 10, 0, 0, 10, 0, 10, 0, 10}});
  report.model.shown = "wall_ns";
  return report.model;
}

using Amounts = NumberColumn;

Amounts idle_of(const std::string& measure, const std::vector<std::string>& names = {}) {
  ReportModel model = pools();
  model.shown = measure;
  return idle_amounts(model, shown_measure(model), names);
}

TEST(IdleWaits, AreTheWaitingTimeOfThreadsWithoutARecordedMethodAndOfKnownMethods) {
  EXPECT_EQ(idle_of("wall_ns"), (Amounts{0, 6, 10, 6, 10, 10, 0, 0, 0, 0}))
      << "a task that a pool's method runs is not idle";
  EXPECT_EQ(idle_of("parked_ns"), (Amounts{0, 0, 10, 0, 0, 10, 0, 0, 0, 0}));
}

TEST(IdleWaits, OfThreadsThatHaveRowsOfTheirOwnAreNotThoseOfTheJdksMethodsBelow) {
  testing::SmallReport report;
  const std::int32_t thread = report.method("", "[pool-*-thread-*]", "", "");
  const std::int32_t park = report.method("", "park a.Lock", "", "");
  const std::int32_t run = report.method("java.lang.Thread", "run", "()V", "boot");
  report.node(0, thread, -1, 0, 0);
  report.node(1, park, -1, 0, 0);
  report.node(1, run, -1, 0, 1);
  report.node(3, park, 5, 0, 0);
  report.model.measures.push_back({"parked_ns", "ns", 0, {0, 1, 2, 4, 8}});
  report.model.shown = "parked_ns";
  EXPECT_EQ(idle_amounts(report.model, shown_measure(report.model), {}), (Amounts{0, 1, 2, 0, 0}));
}

// Rows 2, 5 and 8: waits of a worker's loop, as the agent adds them and of frames; a wait further in.
TEST(IdleWaits, OfQueuesAreThoseOfTheOnlyMethodOfTheProgramOnAStack) {
  testing::SmallReport report;
  const std::int32_t added =
      report.method("", "java.util.concurrent.LinkedBlockingQueue.take", "", "");
  const std::int32_t thread = report.method("java.lang.Thread", "run", "()V", "boot");
  const std::int32_t poll =
      report.method("java.util.concurrent.ArrayBlockingQueue", "poll", "()V", "boot");
  const std::int32_t park = report.method("", "park a.Lock", "", "");
  const std::int32_t loop = report.method("shop.Worker", "run");
  const std::int32_t lend = report.method("shop.Pool", "lend");
  report.node(0, loop, -1, 0, 1);
  report.node(1, added, 5, 0, 0);
  report.node(0, thread, -1, 0, 1);
  report.node(3, loop, 5, 0, 1);
  report.node(4, poll, 5, 0, 1);
  report.node(5, park, 5, 0, 0);
  report.node(4, lend, 5, 0, 1);
  report.node(7, added, 5, 0, 0);
  report.model.measures.push_back({"parked_ns", "ns", 0, {0, 1, 2, 4, 8, 16, 32, 64, 128}});
  report.model.shown = "parked_ns";
  EXPECT_EQ(idle_amounts(report.model, shown_measure(report.model), {}),
            (Amounts{0, 0, 2, 0, 0, 16, 32, 0, 0}));
}

TEST(IdleWaits, AreThoseOfMethodsThatTheUserNamesToo) {
  EXPECT_EQ(idle_of("parked_ns", {"Consumer.loop"}), (Amounts{0, 0, 10, 0, 0, 10, 0, 0, 0, 10}));
  EXPECT_EQ(idle_of("wall_ns", {"Consumer.loop"}), (Amounts{0, 6, 10, 6, 10, 10, 0, 0, 0, 10}));
}

std::string summary_of(const ReportModel& model, const std::vector<std::string>& idle) {
  SummaryOptions options;
  options.left_out.idle = idle;
  StringOutput out;
  write_summary(model, options, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

TEST(IdleWaits, ThatAreNotKnownAreToldAsWaitsOfTheProgram) {
  const std::string told = summary_of(pools(), {});
  EXPECT_NE(told.find("    waits                   20 ns  (--idle METHOD leaves "),
            std::string::npos)
      << told;
  const std::string named = summary_of(pools(), {"Consumer.loop"});
  EXPECT_NE(named.find("    waits                   10 ns  (--idle METHOD leaves "),
            std::string::npos)
      << named;
}

TEST(IdleWaits, AreThoseForAConnection) {
  testing::SmallReport report;
  std::vector<std::uint64_t> amounts = {0};
  for (const auto& [type, name] :
       {std::pair{"java.net.ServerSocket", "implAccept"},
        {"java.net.PlainSocketImpl", "accept"},
        {"sun.nio.ch.ServerSocketChannelImpl", "accept"},
        {"sun.nio.ch.NioSocketImpl", "accept"},
        {"sun.nio.ch.Net", "accept"},
        {"org.apache.tomcat.util.net.NioEndpoint", "serverSocketAccept"}}) {
    report.node(0, report.method(type, name));
    amounts.push_back(7);
  }
  report.node(0, report.method("shop.Server", "accept"));
  report.model.measures.push_back({"native_ns", "ns", 0, amounts});
  report.model.measures.back().values.push_back(7);
  report.model.shown = "native_ns";
  amounts.push_back(0);
  EXPECT_EQ(idle_amounts(report.model, shown_measure(report.model), {}), amounts);
}

TEST(IdleWaits, AreNoTimeInWhichAThreadRunsAndNoCount) {
  EXPECT_EQ(idle_of("runnable_ns"), Amounts{});
  EXPECT_EQ(idle_of("blocked_ns"), Amounts{});
  EXPECT_EQ(idle_of("calls"), Amounts{});
}

TEST(IdleWaits, HaveTheSamplesOfTheirTime) {
  ReportModel model = pools();
  model.measures.push_back({"wall_samples", "events", 0, {0, 5, 5, 5, 5, 5, 5, 5, 5, 5}});
  model.measures.push_back({"runnable_samples", "events", 0, {0, 1, 0, 2, 0, 0, 4, 0, 5, 0}});
  model.measures.push_back({"parked_samples", "events", 0, {0, 0, 5, 0, 0, 5, 0, 5, 0, 5}});
  model.shown = "wall_samples";
  EXPECT_EQ(idle_amounts(model, shown_measure(model), {}), (Amounts{0, 4, 5, 3, 5, 5, 0, 0, 0, 0}));
  model.shown = "parked_samples";
  EXPECT_EQ(idle_amounts(model, shown_measure(model), {}), (Amounts{0, 0, 5, 0, 0, 5, 0, 0, 0, 0}));
  model.shown = "runnable_samples";
  EXPECT_EQ(idle_amounts(model, shown_measure(model), {}), Amounts{});
}

TEST(IdleWaits, AreUnknownWhereWallClockTimeHasNoStates) {
  ReportModel model = pools();
  std::erase_if(model.measures, [](const auto& measure) { return measure.name != "wall_ns"; });
  EXPECT_EQ(idle_amounts(model, shown_measure(model), {}), Amounts{});
}

TEST(IdleWaits, AreTakenOutBeforeTheirFramesAre) {
  ReportModel model = pools();
  take_idle_out(model, {});
  EXPECT_EQ(model.find_measure("wall_ns")->values, (Amounts{0, 4, 0, 4, 0, 0, 10, 10, 10, 10}));
  EXPECT_EQ(model.find_measure("parked_ns")->values, (Amounts{0, 0, 0, 0, 0, 0, 0, 10, 0, 10}));
  EXPECT_EQ(model.find_measure("runnable_ns")->values, pools().find_measure("runnable_ns")->values);
  EXPECT_EQ(model.notes.back(), "Without 42 ns in which threads waited for work; --all has them.");
}

TEST(IdleWaits, AreInTotalsAndNotInRankings) {
  const ReportModel model = pools();
  const auto summary = [&](const LeftOut& left_out, bool callers = false) {
    StringOutput out;
    SummaryOptions options;
    options.left_out = left_out;
    options.callers = callers;
    write_summary(model, options, out);
    EXPECT_TRUE(out.finish().ok());
    return out.text();
  };
  const std::string usual = summary({});
  EXPECT_NE(usual.find("90 ns of wall time seen = 90 in nodes"), std::string::npos) << usual;
  EXPECT_NE(usual.find("42 ns  (threads that wait for work"), std::string::npos) << usual;
  const std::string whole = summary({.nothing = true, .idle = {}});
  EXPECT_EQ(whole.find("idle"), std::string::npos) << whole;
  EXPECT_NE(whole.find("ThreadPoolExecutor.getTask"), std::string::npos) << whole;
  const std::string callers = summary({}, true);
  EXPECT_EQ(callers.find("idle"), std::string::npos) << callers;
}

}  // namespace
}  // namespace copse::report
