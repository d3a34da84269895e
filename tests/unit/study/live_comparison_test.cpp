#include "encoders/study/live_comparison.h"

#include <gtest/gtest.h>

#include "encoders/study/reports.h"

namespace copse::study {
namespace {

// Bare 2 s and 100 MB; segment twice as slow and pcc half as much again; rcce was not run.
LiveComparison sample() {
  LiveComparison live;
  live.command = "java -jar shop.jar";
  live.rounds = 3;
  live.bare = {{2, 100'000'000, 0}, {1, 90'000'000, 0}, {4, 110'000'000, 0}};
  live.schemes = {
      {"segment", {{4, 150'000'000, 0}, {3, 150'000'000, 0}, {6, 200'000'000, 0}}, "", ""},
      {"rcce", {}, "needs --graph REPORT", ""},
      {"pcc", {{3, 100'000'000, 0}, {2, 100'000'000, 0}, {5, 100'000'000, 0}}, "", ""}};
  return live;
}

const LiveScheme& segment(const LiveComparison& live) { return live.schemes[0]; }

TEST(LiveComparison, SlowdownIsTheRatioOfTheMedians) {
  const LiveComparison live = sample();
  const auto ratios = ratios_of(segment(live), live);
  ASSERT_TRUE(ratios);
  EXPECT_DOUBLE_EQ(ratios->slowdown, 2);
  EXPECT_DOUBLE_EQ(ratios->memory, 1.5);
}

TEST(LiveComparison, LeastAndMostAreOfRoundsBesideTheirOwnBareRun) {
  const LiveComparison live = sample();
  const auto ratios = ratios_of(segment(live), live);
  ASSERT_TRUE(ratios);
  EXPECT_DOUBLE_EQ(ratios->least, 1.5);
  EXPECT_DOUBLE_EQ(ratios->most, 3);
}

TEST(LiveComparison, MedianOfTwoRoundsIsTheirMean) {
  EXPECT_DOUBLE_EQ(figures_of({{2, 100, 0}, {5, 300, 0}}).wall_seconds, 3.5);
  EXPECT_EQ(figures_of({{2, 100, 0}, {5, 300, 0}}).peak_bytes, 200u);
}

TEST(LiveComparison, AnotherExitStatusThanTheBareOneIsAFailureWithoutFigures) {
  LiveComparison live = sample();
  check_exit_statuses(live);
  EXPECT_FALSE(live.has_failed());
  live.schemes[0].runs[1].exit_status = 134;
  check_exit_statuses(live);
  EXPECT_TRUE(live.has_failed());
  EXPECT_EQ(segment(live).failure, "exit status 134, bare 0");
  EXPECT_FALSE(ratios_of(segment(live), live));
  EXPECT_TRUE(ratios_of(live.schemes[2], live)) << "the others count";
  EXPECT_NE(live_text(live).find("segment: FAILED: exit status 134, bare 0\n"), std::string::npos);
}

TEST(LiveComparison, ABareRunThatFailsIsWhatTheOthersMustDo) {
  LiveComparison live = sample();
  for (LiveRun& run : live.bare) run.exit_status = 3;
  check_exit_statuses(live);
  EXPECT_EQ(live.schemes[2].failure, "exit status 0, bare 3");
}

TEST(LiveReport, TextSaysWhatWasMeasuredAndWhatWasNot) {
  EXPECT_EQ(live_text(sample()),
            "Live: java -jar shop.jar\n"
            "Whole processes, alone, in turn; medians of 3 rounds after a bare run that does not "
            "count\n\n"
            "encoder    wall  slowdown  least   most  peak memory  of bare\n"
            "bare     2.00 s                                100 M\n"
            "segment  4.00 s     2.00x  1.50x  3.00x        150 M    1.50x\n"
            "pcc      3.00 s     1.50x  1.25x  2.00x        100 M    1.00x\n"
            "\n"
            "rcce: left out: needs --graph REPORT\n");
}

TEST(LiveReport, JsonHasNoFiguresOfWhatWasNotMeasured) {
  const std::string json = live_json(sample());
  EXPECT_NE(json.find(R"({"name":"rcce","left_out":"needs --graph REPORT"})"), std::string::npos)
      << json;
  EXPECT_NE(json.find(R"("name":"segment","slowdown":2,"slowdown_min":1.5,"slowdown_max":3)"),
            std::string::npos)
      << json;
  EXPECT_EQ(json.find("\"stream\""), std::string::npos);
}

TEST(LiveReport, FiguresOfEachJvmAreInTheJsonAndWithDetailsInTheText) {
  LiveComparison live = sample();
  live.schemes[0].jvms = {
      {"segment", 4, StackFigures{6, 3, false, 0, 0}, {{{"max_id", 1200}}, {}}}};
  EXPECT_NE(live_json(live).find(R"("jvms":[{"tokens":4,"stack":{"mean":1.5,"max":3,)"
                                 R"("unexpected_mean":null,"unexpected_max":null},)"
                                 R"("facts":{"max_id":1200},"epochs":[]}])"),
            std::string::npos)
      << live_json(live);
  EXPECT_EQ(live_text(live).find("Figures"), std::string::npos);
  EXPECT_NE(live_text(live, true)
                .find("\nFigures of the papers, by JVM of the last round\n"
                      "segment: 4 ids, stack mean 1.50, max 3, max id 1,200\n"),
            std::string::npos)
      << live_text(live, true);
}

TEST(LiveReport, OnlyWhatWasMeasuredHasASlowdown) {
  const LiveComparison live = sample();
  EXPECT_EQ(slowdown_text(live, "segment"), "2.00x");
  EXPECT_EQ(slowdown_text(live, "rcce"), "-");
  EXPECT_EQ(slowdown_text(live, "cct"), "-");
}

}  // namespace
}  // namespace copse::study
