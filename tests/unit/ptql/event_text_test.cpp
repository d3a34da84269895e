#include "ptql/engine/event_text.h"

#include <gtest/gtest.h>

#include "support/ptql_run.h"

namespace copse::ptql {
namespace {

using testing::ask_run;
using Rows = std::vector<std::string>;

std::string failure_of(const std::string& events) {
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
  EXPECT_EQ(failure_of(first + "enter 2 f thread=#1 param0=#7(6)\n"),
            "events: line 5: object 7 had another value before");
  EXPECT_EQ(failure_of(first + "enter 2 f thread=#1 param0=#8(6)\n"),
            "events: line 5: object 8 had another value before");
}

TEST(PtqlEventText, GivesRealTimesFromALineOn) {
  EXPECT_EQ(ask_run("SELECT x.realStartTime, x.realEndTime FROM MethodInvocation x",
                    kF + "time 100\nenter 1 f thread=#1\n\ntime 350\nleave 1\n")
                .answers,
            Rows{"100, 350"});
}

TEST(PtqlEventText, SaysWhichLineIsWrong) {
  EXPECT_EQ(failure_of("enter 1 f thread=#1\n"),
            "events: line 2: an entry is: enter INVOCATION METHOD thread=#1");
  EXPECT_EQ(failure_of(kF + "enter 1 f\n"), "events: line 3: an entry has a thread: thread=#1");
  EXPECT_EQ(failure_of(kF + "enter 1 f thread=#1 reciever=#2\n"),
            "events: line 3: reciever: has no meaning here");
  EXPECT_EQ(failure_of(kF + "enter 1 f thread=#1 again\n"),
            "events: line 3: again: is one word too many");
  EXPECT_EQ(
      failure_of(kF + "enter 1 f thread=#1 param0=x\n"),
      "events: line 3: x: is no value; there are 12, 1.5, true, null, #7, #7'text', #7(12) and "
      "'text'");
  for (const std::string box :
       {"#7(", "#7()", "#7(5", "#7(null)", "#7('a')", "#7(#8)", "#7(5))", "#0(5)"}) {
    EXPECT_TRUE(failure_of(kF + "enter 1 f thread=#1 param0=" + box + "\n")
                    .starts_with("events: line 3: " + box + ": is no value;"))
        << box;
  }
  EXPECT_EQ(failure_of(kF + "enter 1 f thread=#1 param0='x\n"),
            "events: line 3: a text does not end");
  EXPECT_EQ(failure_of("exit 1\n"),
            "events: line 2: exit: there are the lines method, class, enter, leave, alloc, die and "
            "time");
  EXPECT_EQ(failure_of(kF + kF), "events: line 3: there is a method f already");
  EXPECT_EQ(failure_of("method f class=A\n"),
            "events: line 2: a method is: method M class=pkg.Class name=x");
}

TEST(PtqlEventText, RefusesWhatNoRunCanBe) {
  const std::string enter = kF + "enter 1 f thread=#1\n";
  EXPECT_EQ(failure_of(enter + "enter 1 f thread=#1\n"),
            "events: line 4: the invocation has begun already");
  EXPECT_EQ(failure_of(enter + "leave 2\n"), "events: line 4: no such invocation runs");
  EXPECT_EQ(failure_of(enter + "enter 2 f thread=#1\nleave 1\n"),
            "events: line 5: invocation 2 of its thread has to end first");
  EXPECT_EQ(failure_of(enter + "leave 1 result=1 thrown=#3\n"),
            "events: line 4: a method that is void, or throws, has no result");
  EXPECT_EQ(failure_of("alloc #7 A\nalloc #7 A\n"), "events: line 3: the object is there already");
  EXPECT_EQ(failure_of(kF + "enter 1 f thread=#1 param0=#7\nalloc #7 A\n"),
            "events: line 4: the object was used before");
  EXPECT_EQ(failure_of("die #7\n"), "events: line 2: the object was not allocated");
  EXPECT_EQ(failure_of(kF + "alloc #7 A\nenter 1 f thread=#1 receiver=#7\ndie #7\n"),
            "events: line 5: a method runs that was called on the object");
  EXPECT_EQ(failure_of(kF + "alloc #7 A\ndie #7\nenter 1 f thread=#1 param0=#7\n"),
            "events: line 5: object 7 is dead already");
  EXPECT_EQ(failure_of("time 5\ntime 4\n"), "events: line 3: the clock goes back");
}

TEST(PtqlEventText, BeginsWithItsName) {
  const std::vector<Plan> plans = {testing::plan_of("SELECT x.startTime FROM MethodInvocation x")};
  Engines engines(plans, {}, [](std::size_t, const Answer&) {});
  std::istringstream text("copse trace text 1\n");
  const Status status = feed_events(text, "run.txt", engines);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(
      status.message(),
      "run.txt: is no recording of copse record --values, and no text of events, which begins "
      "with: copse ptql events 1");
}

}  // namespace
}  // namespace copse::ptql
