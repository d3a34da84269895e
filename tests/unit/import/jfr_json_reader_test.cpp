#include "import/jfr_json_reader.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "import/sampling_period.h"
#include "support/expect_fault.h"
#include "support/text_samples.h"

namespace copse::join {
namespace {

using Lines = std::vector<std::string>;
using testing::lines_of;
using testing::samples_of;

const JfrReading kPrintedWhole{{{"ExecutionSample", 109}, {"NativeMethodSample", 110}}, true};

std::string frame(const std::string& class_name, const std::string& method, int line, int bci) {
  return R"({"method":{"type":{"classLoader":{"type":{"name":"x/Loader"},"name":"app"},"name":")" +
         class_name + R"("},"name":")" + method + R"(","descriptor":"()V"},"lineNumber":)" +
         std::to_string(line) + R"(,"bytecodeIndex":)" + std::to_string(bci) +
         R"(,"type":"Inlined"})";
}

// `frames`: innermost first.
std::string sample(const std::string& type, const std::string& frames, bool truncated = false,
                   const std::string& more = "") {
  return R"({"type":")" + type + R"(","values":{"sampledThread":{"name":"main"},"stackTrace":{)" +
         R"("truncated":)" + (truncated ? "true" : "false") + R"(,"frames":[)" + frames + "]}" +
         more + "}}";
}

std::string setting(int id, const std::string& value, const std::string& name = "period") {
  return R"({"type":"jdk.ActiveSetting","values":{"stackTrace":null,"id":)" + std::to_string(id) +
         R"(,"name":")" + name + R"(","value":")" + value + R"("}})";
}

std::string recording(std::initializer_list<std::string> events) {
  std::string all;
  for (const std::string& event : events) all += (all.empty() ? "" : ",") + event;
  return R"({"recording":{"events":[)" + all + "]}}";
}

const std::string kStack = frame("a/B", "run", 7, 3) + "," + frame("a/B", "main", 5, 9);
const std::string kSample = sample("jdk.ExecutionSample", kStack);

Status read_jfr(std::string_view text, const JfrReading& reading = kPrintedWhole) {
  return faults::status_of(samples_of(text, reading));
}

TEST(JfrReader, ReadsChunksWhoseEventsHaveOtherNumbersOrAreNone) {
  using Chunk = std::pair<std::string, std::int64_t>;
  std::vector<Chunk> chunks = {
      {recording({setting(109, "10 ms"), setting(31, "1 s"), kSample}), 109},
      {recording({}), 109},
      {recording({setting(31, "10 ms"), setting(109, "1 s"), kSample}), 31}};
  SampledStacks stacks(FrameReading::kToCompare);
  const auto read = [&] {
    stacks = SampledStacks(FrameReading::kToCompare);
    std::size_t at = 0;
    return read_jfr_chunks(
        "run.jfr",
        [&]() -> Result<std::optional<JfrChunk>> {
          if (at == chunks.size()) return std::optional<JfrChunk>();
          const auto& [text, number] = chunks[at++];
          std::vector<std::uint8_t> bytes(text.begin(), text.end());
          return std::optional<JfrChunk>(
              {std::make_unique<SampleBytes>(wire::bytes_in_memory("chunk", std::move(bytes))),
               {{{"ExecutionSample", number}}, true}});
        },
        stacks);
  };
  ASSERT_TRUE(read().ok());
  EXPECT_EQ(stacks.values()[stacks.shown].total, 20'000'000u);
  chunks.back().first = "{";
  EXPECT_EQ(read().message().rfind("chunk: ", 0), 0u);
  chunks = {{recording({}), 109}};
  EXPECT_EQ(read().message().rfind("run.jfr: ", 0), 0u);
}

TEST(JfrReader, TakesEachSampleForItsPeriod) {
  const auto stacks = samples_of(recording({setting(7, "1 s"), setting(109, "10 ms"),
                                            setting(109, "true", "enabled"), kSample, kSample}),
                                 kPrintedWhole);
  ASSERT_TRUE(stacks.ok()) << stacks.message();
  EXPECT_EQ(stacks->shown, 1u);
  EXPECT_EQ(stacks->values()[1].unit, "ns");
  EXPECT_EQ(stacks->values()[1].stem, "cpu");
  EXPECT_EQ(lines_of(*stacks, 1), (Lines{"a.B.main()V:5@9;a.B.run()V 20000000"}));
}

TEST(JfrReader, CountsSamplesWhosePeriodIsNotKnown) {
  for (const std::string& settings : {setting(7, "10 ms"), setting(109, "everyChunk"),
                                      setting(109, "10 ms") + "," + setting(109, "20 ms")}) {
    const auto stacks = samples_of(recording({settings, kSample, kSample}), kPrintedWhole);
    ASSERT_TRUE(stacks.ok()) << stacks.message();
    EXPECT_EQ(stacks->values()[1].unit, "samples") << settings;
    EXPECT_EQ(stacks->values()[1].total, 2u) << settings;
  }
}

TEST(JfrReader, PrefersSamplesThatSayHowMuchProcessorTimeTheyStandFor) {
  const std::string period = R"(,"failed":false,"samplingPeriod":"PT0.012S")";
  const auto stacks =
      samples_of(recording({kSample, sample("jdk.CPUTimeSample", kStack, false, period),
                            R"({"type":"jdk.CPUTimeSamplesLost","values":{"lostSamples":3}})"}),
                 kPrintedWhole);
  ASSERT_TRUE(stacks.ok()) << stacks.message();
  EXPECT_EQ(stacks->values()[stacks->shown].name, "CPUTimeSample");
  EXPECT_EQ(stacks->values()[stacks->shown].total, 12'000'000u);
  EXPECT_EQ(stacks->values()[stacks->shown].notes.back(), "The JVM lost 3 samples besides.");
  EXPECT_EQ(stacks->value_named("ExecutionSample").value(), 1u);
  for (std::uint32_t node = 0; node < stacks->nodes().size(); ++node) {
    EXPECT_EQ(12'000'000 * stacks->samples(node, stacks->shown),
              stacks->amount(node, stacks->shown));
  }
}

TEST(JfrReader, KeepsThreadsInNativeCodeApart) {
  const auto stacks = samples_of(
      recording({kSample, sample("jdk.NativeMethodSample", kStack), setting(110, "20 ms")}),
      kPrintedWhole);
  ASSERT_TRUE(stacks.ok()) << stacks.message();
  EXPECT_EQ(stacks->values()[1].total, 1u);
  EXPECT_EQ(stacks->values()[2].total, 20'000'000u);
  EXPECT_EQ(stacks->values()[2].stem, "native");
  EXPECT_NE(stacks->values()[1].notes.back().find("--value NativeMethodSample"), std::string::npos);
}

TEST(JfrReader, TakesTruncatedStacksForCutOnes) {
  const auto stacks =
      samples_of(recording({sample("jdk.ExecutionSample", kStack, true)}), kPrintedWhole);
  ASSERT_TRUE(stacks.ok()) << stacks.message();
  EXPECT_EQ(lines_of(*stacks, 1), (Lines{"...;a.B.main()V:5@9;a.B.run()V 1"}));
  EXPECT_NE(stacks->values()[1].notes.back().find("stackdepth=1024"), std::string::npos);
}

TEST(JfrReader, TakesSamplesWithoutAStackForCutOnes) {
  const auto stacks = samples_of(
      recording({R"({"type":"jdk.ExecutionSample","values":{"stackTrace":null}})", kSample}),
      kPrintedWhole);
  ASSERT_TRUE(stacks.ok()) << stacks.message();
  EXPECT_EQ(lines_of(*stacks, 1), (Lines{"... 1", "a.B.main()V:5@9;a.B.run()V 1"}));
}

SampledStacks recorded(const std::string& text, const JfrReading& reading = kPrintedWhole) {
  Result<SampledStacks> stacks = samples_of(text, reading, FrameReading::kAll);
  EXPECT_TRUE(stacks.ok()) << stacks.message();
  return stacks.ok() ? std::move(stacks).value() : SampledStacks(FrameReading::kAll);
}

const std::string kMain = frame("a/B", "main", 5, 9);

// As async-profiler writes stubs, libraries and the kernel, and as a damaged table of names leaves it.
TEST(JfrReader, KeepsFramesWithoutAClassOrAName) {
  const std::string no_class = frame("", "vtable stub", 0, 0);
  const std::string no_type =
      R"({"method":{"type":null,"name":"futex_wait","descriptor":"()L;"},"lineNumber":0})";
  const std::string no_name = frame("a/C", "", 3, 1);
  const std::string null_name = R"({"method":{"type":{"name":"a/C"},"name":null},"lineNumber":3})";
  const std::string neither = frame("", "", 0, 0);
  const std::string no_method = R"({"method":null,"lineNumber":0,"bytecodeIndex":0})";
  const std::string nothing = "null";
  const std::pair<std::string, std::string> cases[] = {
      {no_class, ".vtable stub"},   {no_type, ".futex_wait"}, {no_name, "a.C.(unnamed)"},
      {null_name, "a.C.(unnamed)"}, {neither, ".(unnamed)"},  {no_method, ".(unnamed)"},
      {nothing, ".(unnamed)"},      {R"({})", ".(unnamed)"}};
  for (const auto& [odd, name] : cases) {
    for (const char* type : {"jdk.ExecutionSample", "jdk.NativeMethodSample"}) {
      const std::size_t value = std::string_view(type) == "jdk.ExecutionSample" ? 1 : 2;
      SampledStacks stacks = recorded(recording({sample(type, odd + "," + kMain)}));
      const std::string main = "a.B.main()V:5@9;";
      const Lines inner = lines_of(stacks, value);
      ASSERT_EQ(inner.size(), 1u);
      EXPECT_TRUE(inner[0].starts_with(main + name)) << inner[0] << " of " << odd;
      EXPECT_EQ(std::count(inner[0].begin(), inner[0].end(), ';'), 1) << inner[0];
      stacks = recorded(recording({sample(type, kMain + "," + odd)}));
      EXPECT_TRUE(lines_of(stacks, value)[0].starts_with(name)) << lines_of(stacks, value)[0];
      stacks = recorded(recording({sample(type, odd)}));
      ASSERT_EQ(lines_of(stacks, value).size(), 1u);
      EXPECT_TRUE(lines_of(stacks, value)[0].starts_with(name)) << "a whole stack of one frame";
    }
  }
}

TEST(JfrReader, HasNoPlaceAndNoDescriptorOfWhatIsNoMethod) {
  const SampledStacks stacks =
      recorded(recording({sample("jdk.ExecutionSample", kMain + "," + frame("", "stub", 0, 0))}));
  EXPECT_EQ(lines_of(stacks, 1), (Lines{".stub;a.B.main()V 1"}));
}

TEST(JfrReader, HasNoStackOnlyWhereThereIsNoFrame) {
  const auto event = [](const char* trace) {
    return std::string(R"({"type":"jdk.ExecutionSample","values":{"stackTrace":)") + trace + "}}";
  };
  const SampledStacks stacks = recorded(recording(
      {event("null"), event(R"({"truncated":false,"frames":null})"),
       R"({"type":"jdk.ExecutionSample","values":{}})", event(R"({"truncated":false,"frames":[]})"),
       event(R"({"truncated":false,"frames":[null]})")}));
  EXPECT_EQ(lines_of(stacks, 1), (Lines{"... 4", ".(unnamed) 1"}));
}

TEST(JfrReader, LeavesOutWhatIsNoMethodOfJavaWhereFramesAreCompared) {
  for (const std::string& odd :
       {frame("", "vtable stub", 0, 0), frame("a/C", "", 0, 0), std::string("null")}) {
    const auto stacks = samples_of(recording({sample("jdk.ExecutionSample", odd + "," + kStack),
                                              sample("jdk.ExecutionSample", kStack + "," + odd),
                                              sample("jdk.ExecutionSample", odd)}),
                                   kPrintedWhole);
    ASSERT_TRUE(stacks.ok()) << stacks.message();
    EXPECT_EQ(lines_of(*stacks, 1), (Lines{" 1", "a.B.main()V:5@9;a.B.run()V 2"})) << odd;
  }
}

// async-profiler writes them without a class, and without the brackets of collapsed stacks.
TEST(JfrReader, TakesAStackForCutWhereTheProfilerCouldNotWalk) {
  for (const char* marker :
       {"unknown_Java", "not_walkable_Java", "break_deopt", "truncated", "skipped"}) {
    const auto stacks = samples_of(
        recording({sample("jdk.ExecutionSample", kStack + "," + frame("", marker, 0, 0))}),
        kPrintedWhole);
    ASSERT_TRUE(stacks.ok()) << stacks.message();
    EXPECT_EQ(lines_of(*stacks, 1), (Lines{"...;a.B.main()V:5@9;a.B.run()V 1"})) << marker;
  }
  const SampledStacks all = recorded(
      recording({sample("jdk.ExecutionSample", kStack + "," + frame("", "unknown_Java", 0, 0))}));
  EXPECT_EQ(lines_of(all, 1), (Lines{".unknown_Java;a.B.main()V:5@9;a.B.run()V 1"}));
}

std::string in_state(const std::string& type, const std::string& state, int samples = 0) {
  return sample(type, kStack, false,
                (state.empty() ? "" : R"(,"state":)" + state) +
                    (samples == 0 ? "" : R"(,"samples":)" + std::to_string(samples)));
}

constexpr std::size_t kCpu = 0, kRunning = 1, kNative = 2, kWall = 3;

std::string notes_on(const SampledStacks& stacks, std::size_t value) {
  std::string notes;
  for (const std::string& note : stacks.values()[value].notes) notes += note + "\n";
  return notes;
}

TEST(JfrReader, CountsOnlyRunningSamplesAsProcessorTime) {
  std::initializer_list<std::string> events = {
      in_state("jdk.ExecutionSample", R"("STATE_RUNNABLE")"),
      in_state("jdk.ExecutionSample", R"("STATE_DEFAULT")"),
      in_state("jdk.ExecutionSample", R"({"name":"STATE_RUNNABLE"})"),
      in_state("jdk.ExecutionSample", "null"),
      in_state("jdk.ExecutionSample", ""),
      in_state("jdk.ExecutionSample", R"("STATE_SLEEPING")"),
      in_state("jdk.ExecutionSample", R"({"name":"STATE_SLEEPING"})"),
      in_state("jdk.ExecutionSample", R"("STATE_IN_OBJECT_WAIT")"),
      in_state("jdk.ExecutionSample", R"("STATE_IN_OBJECT_WAIT_TIMED")"),
      in_state("jdk.ExecutionSample", R"("STATE_PARKED")"),
      in_state("jdk.ExecutionSample", R"("STATE_PARKED_TIMED")"),
      in_state("jdk.ExecutionSample", R"("STATE_BLOCKED_ON_MONITOR_ENTER")"),
      in_state("jdk.ExecutionSample", R"("STATE_NEW")"),
      in_state("jdk.ExecutionSample", R"("STATE_TERMINATED")"),
      in_state("jdk.ExecutionSample", R"("STATE_OF_ANOTHER_PROFILER")"),
      setting(109, "10 ms")};
  for (const FrameReading reading : {FrameReading::kAll, FrameReading::kToCompare}) {
    const auto stacks = samples_of(recording(events), kPrintedWhole, reading);
    ASSERT_TRUE(stacks.ok()) << stacks.message();
    EXPECT_EQ(stacks->shown, kRunning);
    EXPECT_EQ(stacks->values()[kRunning].unit, "ns");
    EXPECT_EQ(stacks->values()[kRunning].total, 5 * 10'000'000u);
    EXPECT_EQ(stacks->values()[kWall].total, 15 * 10'000'000u);
    EXPECT_EQ(stacks->values()[kWall].unit, "ns");
    EXPECT_EQ(stacks->values()[kWall].stem, "wall");
    EXPECT_EQ(stacks->value_named("WallClockSample").value(), kWall);
    const std::string notes = notes_on(*stacks, kRunning);
    EXPECT_NE(notes.find("10 samples"), std::string::npos) << notes;
    EXPECT_NE(notes.find("STATE_SLEEPING 2"), std::string::npos) << notes;
    EXPECT_NE(notes.find("STATE_OF_ANOTHER_PROFILER 1"), std::string::npos) << notes;
    EXPECT_EQ(notes.find("STATE_RUNNABLE"), std::string::npos) << notes;
  }
}

TEST(JfrReader, HasNoWallClockWhereEveryThreadRan) {
  const SampledStacks stacks = recorded(
      recording({in_state("jdk.ExecutionSample", R"("STATE_RUNNABLE")"), setting(109, "10 ms")}));
  EXPECT_EQ(stacks.values()[kRunning].total, 10'000'000u);
  EXPECT_EQ(stacks.values()[kWall].total, 0u);
  EXPECT_EQ(notes_on(stacks, kRunning).find("STATE_"), std::string::npos);
}

TEST(JfrReader, ShowsTheWallClockWhereNoThreadRan) {
  const SampledStacks stacks =
      recorded(recording({in_state("jdk.ExecutionSample", R"("STATE_SLEEPING")")}));
  EXPECT_EQ(stacks.values()[kRunning].total, 0u);
  EXPECT_EQ(stacks.shown, kWall);
  EXPECT_EQ(stacks.values()[kWall].total, 1u);
  EXPECT_EQ(stacks.values()[kWall].unit, "samples");
}

TEST(JfrReader, LeavesOutWaitingThreadsInNativeCode) {
  const SampledStacks stacks = recorded(
      recording({in_state("jdk.NativeMethodSample", R"("STATE_RUNNABLE")"),
                 in_state("jdk.NativeMethodSample", R"("STATE_SLEEPING")"),
                 in_state("jdk.NativeMethodSample", R"("STATE_PARKED")"), setting(110, "20 ms")}));
  EXPECT_EQ(stacks.values()[kNative].total, 20'000'000u);
  const std::string notes = notes_on(stacks, kNative);
  EXPECT_NE(notes.find("2 events"), std::string::npos) << notes;
  EXPECT_NE(notes.find("STATE_PARKED 1"), std::string::npos) << notes;
}

const JfrReading kAsyncProfiler{{{"ExecutionSample", 101}, {"WallClockSample", 119}}, true};

TEST(JfrReader, TakesTheIntervalOfTheRecording) {
  // Without the numbers of events, as in JSON that somebody printed, the name of the setting tells.
  for (const JfrReading& reading : {kAsyncProfiler, JfrReading{{}, true}}) {
    const SampledStacks stacks =
        recorded(recording({setting(101, "7000000", "interval"), setting(107, "itimer", "event"),
                            in_state("jdk.ExecutionSample", R"("STATE_DEFAULT")"), kSample}),
                 reading);
    EXPECT_EQ(stacks.values()[kRunning].unit, "ns");
    EXPECT_EQ(stacks.values()[kRunning].total, 14'000'000u);
    EXPECT_NE(notes_on(stacks, kRunning).find("7,000,000 ns"), std::string::npos);
  }
}

TEST(JfrReader, CountsSamplesWhoseIntervalIsNoTimeOrNotStated) {
  const std::string cpu = setting(107, "cpu", "event");
  for (const std::string& settings :
       {setting(101, "0", "interval") + "," +
            cpu,  // the default of the profiler, which is not told
        setting(101, "1000", "interval") + "," + setting(107, "cache-misses", "event"),
        setting(101, "1000", "interval") + "," + setting(107, "java.lang.Foo.bar", "event"),
        setting(101, "1000", "interval") + "," + setting(101, "2000", "interval") + "," + cpu,
        setting(102, "1000", "interval") + "," + cpu,  // of another event
        setting(101, "soon", "interval") + "," + cpu, setting(101, "-1", "interval") + "," + cpu}) {
    const SampledStacks stacks = recorded(recording({settings, kSample, kSample}), kAsyncProfiler);
    EXPECT_EQ(stacks.values()[kRunning].unit, "samples") << settings;
    EXPECT_EQ(stacks.values()[kRunning].total, 2u) << settings;
    EXPECT_NE(notes_on(stacks, kRunning).find("counted as they are"), std::string::npos)
        << settings;
  }
}

// async-profiler with event=wall, before it had events of its own for that.
TEST(JfrReader, OfAWallClockTakesRunningSamplesForProcessorTime) {
  const SampledStacks stacks =
      recorded(recording({setting(101, "10000000", "interval"), setting(107, "wall", "event"),
                          in_state("jdk.ExecutionSample", R"("STATE_RUNNABLE")"),
                          in_state("jdk.ExecutionSample", R"("STATE_SLEEPING")"),
                          in_state("jdk.ExecutionSample", R"("STATE_SLEEPING")")}),
               kAsyncProfiler);
  EXPECT_EQ(stacks.values()[kRunning].total, 10'000'000u);
  EXPECT_EQ(stacks.values()[kWall].total, 30'000'000u);
  EXPECT_EQ(stacks.shown, kRunning);
}

// Both at once: the samples of processor time say no state, those of the clock do.
TEST(JfrReader, TellsProcessorTimeFromTheWallClockBesideIt) {
  const SampledStacks stacks =
      recorded(recording({setting(101, "10000000", "interval"), setting(101, "200000000", "wall"),
                          setting(107, "cpu", "event"),
                          in_state("jdk.ExecutionSample", R"("STATE_DEFAULT")"),
                          in_state("jdk.ExecutionSample", R"("STATE_RUNNABLE")"),
                          in_state("jdk.ExecutionSample", R"("STATE_SLEEPING")")}),
               kAsyncProfiler);
  EXPECT_EQ(stacks.values()[kRunning].total, 10'000'000u);
  EXPECT_EQ(stacks.values()[kWall].total, 400'000'000u);
}

TEST(JfrReader, ReadsEventsOfTheWallClock) {
  const std::string events = in_state("profiler.WallClockSample", R"("STATE_SLEEPING")", 30) + "," +
                             in_state("profiler.WallClockSample", R"("STATE_RUNNABLE")", 2) + "," +
                             in_state("profiler.WallClockSample", R"("STATE_RUNNABLE")");
  const SampledStacks alone = recorded(
      recording({setting(101, "50000000", "interval"), setting(107, "wall", "event"), events}),
      kAsyncProfiler);
  // Where nothing else is of processor time, threads that ran are.
  EXPECT_EQ(alone.shown, kRunning);
  EXPECT_EQ(alone.values()[kRunning].total, 3 * 50'000'000u);
  EXPECT_EQ(alone.values()[kWall].total, 33 * 50'000'000ull);
  EXPECT_EQ(alone.samples(static_cast<std::uint32_t>(alone.nodes().size() - 1), kWall), 33u);
  for (const std::size_t value : {kRunning, kWall}) {
    const std::string notes = notes_on(alone, value);
    EXPECT_NE(notes.find("STATE_SLEEPING 30"), std::string::npos) << notes;
  }
  const SampledStacks both =
      recorded(recording({setting(101, "10000000", "interval"), setting(101, "200000000", "wall"),
                          setting(107, "cpu", "event"), events,
                          in_state("jdk.ExecutionSample", R"("STATE_DEFAULT")")}),
               kAsyncProfiler);
  EXPECT_EQ(both.shown, kRunning);
  EXPECT_EQ(both.values()[kRunning].total, 10'000'000u) << "of samples of processor time alone";
  EXPECT_NE(notes_on(both, kRunning).find("33 samples of the wall clock"), std::string::npos);
  EXPECT_EQ(both.values()[kWall].total, 33 * 200'000'000ull);
  const SampledStacks unknown = recorded(recording({events, kSample}), kAsyncProfiler);
  EXPECT_EQ(unknown.values()[kWall].total, 33u);
  EXPECT_EQ(unknown.values()[kWall].unit, "samples");
}

TEST(JfrReader, RefusesStacksThatTheToolMayHaveCut) {
  std::string five;
  for (int i = 0; i < 5; ++i) five += (i == 0 ? "" : ",") + frame("a/B", "run", 7, 3);
  const std::string text = recording({sample("jdk.ExecutionSample", five)});
  EXPECT_FAULT(read_jfr(text, {}), kRefused, "--stack-depth 2048");
  EXPECT_TRUE(read_jfr(text).ok());
  EXPECT_TRUE(read_jfr(recording({sample("jdk.ExecutionSample", five + "," + kStack)}), {}).ok());
}

// A key with dots in it looks like the keys that lead to a value.
TEST(JfrReader, TakesNoKeyForAPath) {
  EXPECT_FAULT(read_jfr(R"({"recording.events":[)" + kSample + "]}"), kMalformed,
               "jfr print --json");
  EXPECT_FAULT(read_jfr(R"({"":)" + recording({kSample}) + "}"), kMalformed, "jfr print --json");
  const SampledStacks stacks = recorded(
      R"({"recording.events.values.stackTrace.frames.lineNumber":5,)"
      R"("recording.events.values.stackTrace.frames.bytecodeIndex":5,)"
      R"("recording.events.values.stackTrace.frames.method.name":"run","recording":{"events":[)"
      R"({"type":"jdk.ExecutionSample","values":{"stackTrace":{"truncated":false,)"
      R"("frames.method.type.name":"a/B","frames":[{"method.name":"run"}]}}}]}})");
  EXPECT_EQ(lines_of(stacks, 1), (Lines{".(unnamed) 1"}));
}

TEST(JfrReader, SaysWhatIsWrong) {
  EXPECT_FAULT(read_jfr("{}"), kMalformed, "samples: ", "jfr print --json");
  EXPECT_FAULT(read_jfr(recording({setting(1, "1 s")})), kMalformed, "jdk.ExecutionSample");
  EXPECT_FAULT(read_jfr(recording({kSample}).substr(0, 300)), kMalformed, "JSON");
  EXPECT_FAULT(read_jfr(recording({sample("jdk.CPUTimeSample", kStack)})), kMalformed,
               "samplingPeriod ''");
}

TEST(JfrReader, KnowsTimesAsRecordingsSpellThem) {
  EXPECT_EQ(ns_of_period("10 ms"), 10'000'000u);
  EXPECT_EQ(ns_of_period("1 s"), 1'000'000'000u);
  EXPECT_EQ(ns_of_period("250 us"), 250'000u);
  EXPECT_EQ(ns_of_period("7 ns"), 7u);
  EXPECT_EQ(ns_of_period("1.5ms"), 1'500'000u);
  for (const char* none :
       {"everyChunk", "", "ms", " ms", "-1 ms", "99999999999999999999 s", "1 h"}) {
    EXPECT_EQ(ns_of_period(none), 0u) << none;
  }
  EXPECT_EQ(ns_of_duration("PT0.01S"), 10'000'000u);
  EXPECT_EQ(ns_of_duration("PT0.000000001S"), 1u);
  EXPECT_EQ(ns_of_duration("PT1M0.5S"), 60'500'000'000u);
  for (const char* none : {"", "PT", "P1D", "PT1", "PT1.0000000001S", "PTxS"}) {
    EXPECT_EQ(ns_of_duration(none), 0u) << none;
  }
}

TEST(JfrReader, FindsTheNumbersOfEventsInTheirMetadata) {
  const JfrEventNumbers numbers = jfr_event_numbers(
      "// id: 212\nclass boolean {\n}\n\n// id: 109\n@Name(\"jdk.ExecutionSample\")\n"
      "@Label(\"x\")   // id=1409\nclass ExecutionSample {\n}\n// id: "
      "125\n@Name(\"jdk.CPUTimeSample\")");
  EXPECT_EQ(numbers, (JfrEventNumbers{{"CPUTimeSample", 125}, {"ExecutionSample", 109}}));
  EXPECT_TRUE(jfr_event_numbers("@Name(\"jdk.ExecutionSample\")\n").empty());
}

}  // namespace
}  // namespace copse::join
