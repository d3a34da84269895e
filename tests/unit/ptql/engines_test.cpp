#include "ptql/engine/engines.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "ptql/engine/event_text.h"
#include "support/ptql_run.h"

namespace copse::ptql {
namespace {

struct SeveralAnswers {
  std::vector<std::string> answers;  // "0: 5, 7", by query
  std::vector<AnswerEvent> events;
  std::vector<EngineTotals> totals;
  Status failure;
};

SeveralAnswers ask_several(const std::vector<std::string>& queries, const std::string& events,
                           const EngineOptions& options = {}) {
  std::vector<Plan> plans;
  for (const std::string& query : queries) plans.push_back(testing::plan_of(query));
  SeveralAnswers asked;
  Engines engines(plans, options, [&asked](std::size_t query, const Answer& answer) {
    std::string text = std::to_string(query) + ":";
    for (const Value& value : answer.values) text += " " + to_text(value);
    asked.answers.push_back(text);
    asked.events.push_back(answer.event);
  });
  std::istringstream text("copse ptql events 1\n" + events);
  asked.failure = feed_events(text, "events", engines);
  for (std::size_t i = 0; i < plans.size(); ++i) asked.totals.push_back(engines.totals(i));
  return asked;
}

const std::string kCallsOfF = "SELECT x.startTime FROM MethodInvocation x WHERE x.methodName = 'f'";
const std::string kResults =
    "SELECT x.startTime, x.result FROM MethodInvocation x WHERE x.methodName = 'g' AND x.result > "
    "1";
const std::string kObjects = "SELECT o.endTime FROM ObjectAllocation o WHERE o.dynamicType = 'A'";
const std::string kMethods = "method f class=A name=f void\nmethod g class=A name=g\n";

TEST(PtqlEngines, GiveEachQueryItsAnswersInTheOrderOfEvents) {
  const SeveralAnswers asked =
      ask_several({kCallsOfF, kResults, kObjects, kCallsOfF}, kMethods +
                                                                  "alloc #7 A\n"
                                                                  "enter 1 f thread=#1\n"
                                                                  "enter 2 g thread=#1\n"
                                                                  "leave 2 result=5\n"
                                                                  "die #7\n"
                                                                  "enter 3 f thread=#1\n");
  EXPECT_TRUE(asked.failure.ok());
  EXPECT_EQ(asked.answers,
            (std::vector<std::string>{"0: 2", "3: 2", "1: 3 5", "2: 5", "0: 6", "3: 6"}));
  EXPECT_EQ(asked.totals[0].events, 2u) << "those of other queries are none of its own";
}

TEST(PtqlEngines, TellOfTheEventThatCompletedAnAnswer) {
  const SeveralAnswers asked =
      ask_several({kResults, kObjects}, kMethods +
                                            "alloc #7 A\n"
                                            "time 1500\n"
                                            "enter 2 g thread=#1 thread.name='main' context='A.g'\n"
                                            "time 1750\n"
                                            "leave 2 result=5\n"
                                            "die #7\n");
  ASSERT_EQ(asked.events.size(), 2u);
  EXPECT_EQ(asked.events[0].time, 3u);
  EXPECT_EQ(asked.events[0].real_time_ms, 1750);
  EXPECT_EQ(to_text(asked.events[0].thread), "object 1");
  EXPECT_EQ(to_text(asked.events[0].thread_name), "'main'");
  EXPECT_EQ(to_text(asked.events[0].context), "'A.g'");
  EXPECT_EQ(asked.events[1].time, 4u);
  EXPECT_FALSE(asked.events[1].thread.present()) << "an object dies in no thread";
}

TEST(PtqlEngines, AreDoneWhenAllAre) {
  const std::string wrong_line = "enter 3 f\n";
  const std::string run = kMethods + "enter 1 f thread=#1\nenter 2 g thread=#1\nleave 2 result=5\n";
  EXPECT_TRUE(
      ask_several({kCallsOfF + " LIMIT 1", kResults + " LIMIT 1"}, run + wrong_line).failure.ok());
  EXPECT_FALSE(ask_several({kCallsOfF + " LIMIT 1", kResults}, run + wrong_line).failure.ok());
}

TEST(PtqlEngines, TakeMemoryFromTheQueryThatHasMost) {
  // The first keeps each f until the end of the run, the second one g.
  const std::string hungry =
      "SELECT x.startTime FROM MethodInvocation x, NEGATIVE MethodInvocation y "
      "WHERE x.methodName = 'f' AND y.methodName = 'h' AND x.thread = y.thread";
  const std::string modest =
      "SELECT x.startTime FROM MethodInvocation x, NEGATIVE MethodInvocation y "
      "WHERE x.methodName = 'g' AND y.methodName = 'h' AND x.thread = y.thread";
  std::string run = kMethods + "enter 1 g thread=#1\nleave 1 result=1\n";
  for (int i = 2; i < 2000; ++i) {
    run += "enter " + std::to_string(i) + " f thread=#1\nleave " + std::to_string(i) + "\n";
  }
  EngineOptions options;
  options.memory_bytes = 100'000;
  const SeveralAnswers asked = ask_several({hungry, modest}, run, options);
  EXPECT_TRUE(asked.failure.ok());
  EXPECT_GT(asked.totals[0].dropped_records, 1000u);
  EXPECT_EQ(asked.totals[1].dropped_records, 0u);
  EXPECT_EQ(asked.answers.back(), "1: 1");
}

TEST(PtqlEngines, WantTheMethodsAndClassesThatAQueryNames) {
  const std::vector<Plan> plans = {testing::plan_of(kCallsOfF), testing::plan_of(kObjects)};
  Engines engines(plans, {}, [](std::size_t, const Answer&) {});
  EXPECT_TRUE(engines.wants(engines.add_method({"f", "A", "A", 0, false, true})));
  EXPECT_FALSE(engines.wants(engines.add_method({"g", "A", "A", 0, false, true})));
  EXPECT_TRUE(engines.wants(engines.add_class("A")));
  EXPECT_FALSE(engines.wants(engines.add_class("B")));
}

}  // namespace
}  // namespace copse::ptql
