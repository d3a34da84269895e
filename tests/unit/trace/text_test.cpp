// The text form: what a person may write, what is refused and how, and that nothing is lost on the
// way through.
#include <gtest/gtest.h>

#include <sstream>

#include "base/call_record.h"
#include "support/traces.h"
#include "trace/text_writer.h"

namespace copse::trace {
namespace {

using test::drain;
using test::Drained;
using test::trace_of;

constexpr std::string_view kSmall =
    "# why this file is here\n"
    "copse trace text 1\n"
    "method 1 demo.Main main ([Ljava/lang/String;)V Main.java app\n"
    "method 2 demo.Main work\n"
    "site 1@1 5 12\n"
    "0 call 1   # starts by itself\n"
    "0 call demo.Main.work@1\n"
    "7 start\n"
    "0 mark 3\n"
    "0 return 2\n"
    "7 call 2\n"
    "7 unwind\n"
    "7 end\n";

Event call(std::uint32_t caller, std::uint16_t site, std::uint32_t callee) {
  return {EventKind::kCall, MethodId{caller}, context_key(SiteOrdinal{site}, MethodId{callee})};
}

std::string error_of(std::string_view lines) {
  const auto trace = trace_of("copse trace text 1\n" + std::string(lines));
  return drain(*trace).error;
}

std::string as_text(EventSource& source) {
  std::ostringstream out;
  EXPECT_TRUE(write_text(out, source).ok());
  return out.str();
}

TEST(TextTrace, GivesTheEventsOfItsLines) {
  const auto trace = trace_of(kSmall);
  const ThreadIndex zero{0};
  const ThreadIndex seven{7};
  const std::vector<test::ThreadEvent> expected = {
      {zero, {EventKind::kThreadStart}},
      {zero, call(0, 0, 1)},
      {zero, call(1, 1, 2)},
      {seven, {EventKind::kThreadStart}},
      {zero, {EventKind::kMark, {}, 3}},
      {zero, {EventKind::kReturn, {}, 2}},
      {seven, call(0, 0, 2)},
      {seven, {EventKind::kUnwind, {}, 1}},
      {seven, {EventKind::kThreadEnd}},
  };
  const Drained all = drain(*trace);
  EXPECT_EQ(all.error, "");
  EXPECT_EQ(all.events, expected);
  ASSERT_EQ(trace->methods().size(), 3u);
  EXPECT_EQ(trace->methods()[1].source, "Main.java");
  ASSERT_EQ(trace->methods()[1].sites.size(), 1u);
  EXPECT_EQ(trace->methods()[1].sites[0].line, 12);
}

TEST(TextTrace, KeepsTheStableNamesOfClasses) {
  const std::string text =
      "copse trace text 1\n"
      "method 1 p.A$1 f ()V A.java app p.A$*~f~000000000000\n"
      "method 2 p.A g ()V A.java app\n";
  const auto trace = trace_of(text);
  EXPECT_EQ(as_text(*trace), text);
  EXPECT_EQ(trace->methods()[1].stable_class, "p.A$*~f~000000000000");
  EXPECT_EQ(trace->methods()[2].stable_class, "");
}

TEST(TextTrace, ReadsTheSameTwice) {
  const auto trace = trace_of(kSmall);
  const Drained first = drain(*trace);
  ASSERT_TRUE(trace->rewind().ok());
  EXPECT_EQ(drain(*trace).events, first.events);
  EXPECT_EQ(trace->methods().size(), 3u);
}

TEST(TextTrace, WrittenTextGivesTheSameEventsAndTables) {
  std::string full(kSmall);
  full.insert(full.find("method 1"),
              "program command java - %2d\n"
              "program pid 42\nprogram runtime Some%20VM\nprogram started now\n"
              "program option jdk false\n");
  full +=
      "thread 7 -12 a%20name%23\n"
      "end wall_ms 12.25\nend calls 3 1 2\nend thread 7 1\n"
      "end skipped a.B f()V too%20large\nend note A%20sentence.\n";
  const auto trace = trace_of(full);
  const std::string written = as_text(*trace);
  const auto again = trace_of(written);
  ASSERT_TRUE(trace->rewind().ok());
  EXPECT_EQ(drain(*again).events, drain(*trace).events);
  EXPECT_EQ(again->threads(), trace->threads());
  EXPECT_EQ(again->program(), trace->program());
  EXPECT_EQ(again->end(), trace->end());
  EXPECT_EQ(again->program()->command, (std::vector<std::string>{"java", "", "-"}));
  EXPECT_EQ(again->threads().at(0).name, "a name#");
  ASSERT_TRUE(again->rewind().ok());
  EXPECT_EQ(as_text(*again), written);
}

TEST(TextTrace, AWrongLineIsSaidWithItsPlaceAfterAllBeforeIt) {
  const std::string text = "copse trace text 1\n0 call 1\n0 return 2\n0 call 3\n";
  const auto trace = trace_of(text);
  const Drained all = drain(*trace);
  EXPECT_EQ(all.events.size(), 2u);
  EXPECT_EQ(all.error, "input: at byte 28 (line 3): return of 2 frames, 1 are live");
  EXPECT_EQ(drain(*trace).error, all.error);
}

TEST(TextTrace, MistakesAreNamed) {
  const auto has = [](std::string_view lines, const std::string& words) {
    const std::string error = error_of(lines);
    EXPECT_NE(error.find(words), std::string::npos) << lines << " gave: " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  };
  has("0 call\n", "call of no method");
  has("0 call 0\n", "'0' is not a method's number");
  has("0 call 16777216\n", "not a method's number");
  has("0 call 1@65536\n", "'65536' is not a call site");
  has("0 call absent\n", "'absent' is the name of no method above");
  has("method 1 A f\nmethod 2 A f\n0 call A.f\n", "names several methods");
  has("method 2 A f\n", "numbered in order, this is 1");
  has("site 1@1 0 0\n", "not described above");
  has("method 1 A f\nsite 1@2 0 0\n", "numbered in order, this is 1");
  has("4294967296 start\n", "not a thread's number");
  has("0 start\n0 start\n", "start of a thread that has started");
  has("0 jump 3\n", "'jump' is no event");
  has("0 return 0\n", "return of 0 frames");
  has("0 mark\n", "mark needs a number");
  has("0 start now\n", "'now' is too much");
  has("method 1 A%2 f\n", "two hexadecimal digits");
  has("call 1\n", "begins no line");
  has("0 start\nprogram pid 1\n", "above the first event");
}

TEST(TextTrace, AFileThatIsNoTraceIsSaidAtOnce) {
  EXPECT_EQ(drain(*trace_of("")).error, "input: at byte 0 (line 1): not a trace");
  EXPECT_EQ(
      drain(*trace_of("{\"schema\":1}\n")).error,
      "input: at byte 0 (line 1): not a trace: a text trace begins with 'copse trace text 1'");
  const std::string error = drain(*trace_of(std::string(3u << 20, 'x'))).error;
  EXPECT_EQ(error, "input: at byte 0: a line of more than 1048576 bytes: not a text trace");
}

TEST(TextTrace, LongRunsComeInBatches) {
  std::string text = "copse trace text 1\n";
  for (int i = 0; i < 10'000; ++i) text += "0 call 1\n0 return\n";
  const auto trace = trace_of(text);
  std::size_t events = 0;
  std::size_t batches = 0;
  for (auto batch = trace->next(); batch.ok() && batch->has_value(); batch = trace->next()) {
    events += (*batch)->events.size();
    EXPECT_LE((*batch)->events.size(), 5000u);
    ++batches;
  }
  EXPECT_EQ(events, 20'001u);
  EXPECT_GT(batches, 3u);
}

TEST(TextTrace, ANewLifeOfAThreadStartsAtRoot) {
  const Drained all = drain(*trace_of("copse trace text 1\n0 call 1\n0 end\n0 call 2\n"));
  EXPECT_EQ(all.error, "");
  ASSERT_EQ(all.events.size(), 5u);
  EXPECT_EQ(all.events[3].event.kind, EventKind::kThreadStart);
  EXPECT_EQ(all.events[4].event, call(0, 0, 2));
}

}  // namespace
}  // namespace copse::trace
