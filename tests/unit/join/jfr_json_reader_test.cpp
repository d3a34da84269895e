#include "join/jfr_json_reader.h"

#include <gtest/gtest.h>

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

std::string trouble(std::string_view text, const JfrReading& reading = kPrintedWhole) {
  const Result<SampledStacks> stacks = samples_of(text, reading);
  return stacks.ok() ? "" : stacks.message();
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

TEST(JfrReader, RefusesStacksThatTheToolMayHaveCut) {
  std::string five;
  for (int i = 0; i < 5; ++i) five += (i == 0 ? "" : ",") + frame("a/B", "run", 7, 3);
  const std::string text = recording({sample("jdk.ExecutionSample", five)});
  EXPECT_NE(trouble(text, {}).find("--stack-depth 2048"), std::string::npos);
  EXPECT_EQ(trouble(text), "");
  EXPECT_EQ(trouble(recording({sample("jdk.ExecutionSample", five + "," + kStack)}), {}), "");
}

TEST(JfrReader, SaysWhatIsWrong) {
  EXPECT_EQ(trouble("{}"), "samples: is JSON, but not of jfr print --json");
  EXPECT_NE(trouble(recording({setting(1, "1 s")})).find("has no samples"), std::string::npos);
  EXPECT_NE(trouble(recording({kSample}).substr(0, 300)).find("not valid JSON"), std::string::npos);
  EXPECT_NE(trouble(recording({sample("jdk.CPUTimeSample", kStack)})).find("samplingPeriod ''"),
            std::string::npos);
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
