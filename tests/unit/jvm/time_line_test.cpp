#include "agent/jvm/measures/time_line.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace copse::jvm {
namespace {

using std::chrono::milliseconds;
using Values = std::vector<std::uint64_t>;

std::uint64_t sum(const Values& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

TEST(TimeLine, HasNoRowsBeforeTheFirstLook) {
  TimeLine line;
  line.begin({1, 2, 3, 4});
  EXPECT_EQ(line.rows().step_ms, 0u);
}

TEST(TimeLine, DividesWhatWasUsedEvenlyOverTheTimeSinceTheLastLook) {
  TimeLine line;
  line.begin({1000, 0, 0, 0});
  line.add(milliseconds(250), {3500, 0, 0, 10});
  line.add(milliseconds(260), {3500, 7, 0, 5});  // the last part went back
  const auto rows = line.rows();
  EXPECT_EQ(rows.step_ms, 100u);
  EXPECT_EQ(rows.program_ns, (Values{1000, 1000, 500}));
  EXPECT_EQ(rows.compilers_ns, (Values{0, 0, 7}));
  EXPECT_EQ(rows.collectors_ns, (Values{0, 0, 0}));
  EXPECT_EQ(rows.others_ns, (Values{4, 4, 2}));
}

TEST(TimeLine, KeepsTheSumsWhenRowsGetLonger) {
  TimeLine line;
  TimeLine::Times used{};
  for (int i = 1; i <= 5000; ++i) {
    used = {used[0] + 7, used[1] + i % 3, used[2], used[3] + 1};
    line.add(milliseconds(100 * i - 1), used);
    ASSERT_LE(line.rows().program_ns.size(), TimeLine::kMostRows);
  }
  const auto rows = line.rows();
  EXPECT_EQ(rows.step_ms, 1600u);
  EXPECT_EQ(rows.program_ns.size(), 313u);
  EXPECT_EQ(sum(rows.program_ns), used[0]);
  EXPECT_EQ(sum(rows.compilers_ns), used[1]);
  EXPECT_EQ(sum(rows.collectors_ns), 0u);
  EXPECT_EQ(sum(rows.others_ns), used[3]);
  EXPECT_EQ(rows.program_ns[100], 16u * 7);
}

TEST(TimeLine, HasRowsForAProcessThatStoodStillForADay) {
  TimeLine line;
  line.add(std::chrono::hours(24), {600, 0, 0, 0});
  const auto rows = line.rows();
  EXPECT_LE(rows.program_ns.size(), TimeLine::kMostRows);
  EXPECT_EQ(sum(rows.program_ns), 600u);
}

}  // namespace
}  // namespace copse::jvm
