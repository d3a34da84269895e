#include "ptql/engine/event_text.h"

#include <gtest/gtest.h>

#include "support/expect_fault.h"
#include "support/ptql_run.h"

namespace copse::ptql {
namespace {

using testing::ask_run;
using Rows = std::vector<std::string>;

Status failure_of(const std::string& events) {
  return ask_run("SELECT x.startTime FROM MethodInvocation x, ObjectAllocation o", events).failure;
}

const std::string kF = "method f class=A name=f params=1\n";

TEST(PtqlEventText, HasAllKindsOfValues) {
  for (const auto& [word, shown] : std::vector<std::pair<std::string, std::string>>{
           {"12", "12"},
           {"-1.5", "-1.5"},
           {"true", "true"},
           {"null", "null"},
           {"#7", "object 7"},
           {"#7'it''s = # it'", "object 7 'it's = # it'"},
           {"#7(-5)", "object 7 (-5)"},
           {"#7(1.5)", "object 7 (1.5)"},
           {"#7(true)", "object 7 (true)"},
           {"'a b'", "'a b'"}}) {
    EXPECT_EQ(ask_run("SELECT x.param0 FROM MethodInvocation x",
                      kF + "enter 1 f thread=#1 param0=" + word + "  # a remark\n")
                  .answers,
              Rows{shown});
  }
}

TEST(PtqlEventText, RemembersWhatIsInABox) {
  const std::string first = kF + "enter 1 f thread=#1 param0=#7(5)\nleave 1 result=#8\n";
  EXPECT_EQ(ask_run("SELECT x.param0 FROM MethodInvocation x WHERE x.param0 = 5",
                    first + "enter 2 f thread=#1 param0=#7\n")
                .answers,
            Rows{"object 7 (5)"});
  EXPECT_FAULT(failure_of(first + "enter 2 f thread=#1 param0=#7(6)\n"), kMalformed,
               "events: line 5: ", "object 7");
  EXPECT_FAULT(failure_of(first + "enter 2 f thread=#1 param0=#8(6)\n"), kMalformed,
               "events: line 5: ", "object 8");
}

TEST(PtqlEventText, GivesRealTimesFromALineOn) {
  EXPECT_EQ(ask_run("SELECT x.realStartTime, x.realEndTime FROM MethodInvocation x",
                    kF + "time 100\nenter 1 f thread=#1\n\ntime 350\nleave 1\n")
                .answers,
            Rows{"100, 350"});
}

TEST(PtqlEventText, SaysWhichLineIsWrong) {
  EXPECT_FAULT(failure_of("enter 1 f thread=#1\n"), kMalformed, "events: line 2: ", "thread=#1");
  EXPECT_FAULT(failure_of(kF + "enter 1 f\n"), kMalformed, "events: line 3: ", "thread=#1");
  EXPECT_FAULT(failure_of(kF + "enter 1 f thread=#1 reciever=#2\n"), kMalformed,
               "events: line 3: ", "reciever");
  EXPECT_FAULT(failure_of(kF + "enter 1 f thread=#1 again\n"), kMalformed,
               "events: line 3: ", "again");
  EXPECT_FAULT(failure_of(kF + "enter 1 f thread=#1 param0=x\n"), kMalformed,
               "events: line 3: ", "x: ");
  for (const std::string box :
       {"#7(", "#7()", "#7(5", "#7(null)", "#7('a')", "#7(#8)", "#7(5))", "#0(5)"}) {
    EXPECT_FAULT(failure_of(kF + "enter 1 f thread=#1 param0=" + box + "\n"), kMalformed,
                 "events: line 3: " + box + ": ");
  }
  EXPECT_FAULT(failure_of(kF + "enter 1 f thread=#1 param0='x\n"), kMalformed, "events: line 3: ");
  EXPECT_FAULT(failure_of("exit 1\n"), kMalformed, "events: line 2: ", "exit");
  EXPECT_FAULT(failure_of(kF + kF), kMalformed, "events: line 3: ", "method f");
  EXPECT_FAULT(failure_of("method f class=A\n"), kMalformed, "events: line 2: ");
}

TEST(PtqlEventText, RefusesWhatNoRunCanBe) {
  const std::string enter = kF + "enter 1 f thread=#1\n";
  EXPECT_FAULT(failure_of(enter + "enter 1 f thread=#1\n"), kMalformed, "events: line 4: ");
  EXPECT_FAULT(failure_of(enter + "leave 2\n"), kMalformed, "events: line 4: ");
  EXPECT_FAULT(failure_of(enter + "enter 2 f thread=#1\nleave 1\n"), kMalformed,
               "events: line 5: ", "invocation 2");
  EXPECT_FAULT(failure_of(enter + "leave 1 result=1 thrown=#3\n"), kMalformed, "events: line 4: ");
  EXPECT_FAULT(failure_of("alloc #7 A\nalloc #7 A\n"), kMalformed, "events: line 3: ");
  EXPECT_FAULT(failure_of(kF + "enter 1 f thread=#1 param0=#7\nalloc #7 A\n"), kMalformed,
               "events: line 4: ");
  EXPECT_FAULT(failure_of("die #7\n"), kMalformed, "events: line 2: ");
  EXPECT_FAULT(failure_of(kF + "alloc #7 A\nenter 1 f thread=#1 receiver=#7\ndie #7\n"), kMalformed,
               "events: line 5: ");
  EXPECT_FAULT(failure_of(kF + "alloc #7 A\ndie #7\nenter 1 f thread=#1 param0=#7\n"), kMalformed,
               "events: line 5: ", "object 7");
  EXPECT_FAULT(failure_of("time 5\ntime 4\n"), kMalformed, "events: line 3: ");
}

TEST(PtqlEventText, BeginsWithItsName) {
  const std::vector<Plan> plans = {testing::plan_of("SELECT x.startTime FROM MethodInvocation x")};
  Engines engines(plans, {}, [](std::size_t, const Answer&) {});
  std::istringstream text("copse trace text 1\n");
  EXPECT_FAULT(feed_events(text, "run.txt", engines), kMalformed,
               "run.txt: ", "copse ptql events 1");
}

}  // namespace
}  // namespace copse::ptql
