// Baselines of random reports: as text and back, and compared with the report they are of.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "compare/baseline/baseline.h"
#include "compare/diff/cut.h"
#include "compare/identity/merge.h"
#include "support/random_report.h"

namespace copse::baseline {
namespace {

using report::ReportModel;

constexpr std::uint64_t kFirstSeed = 7000;
constexpr std::uint64_t kSeeds = 200;

std::string text_of(const Baseline& baseline) {
  report::StringOutput out;
  write(baseline, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

diff::Comparison compared(const std::string& text, ReportModel now) {
  Result<Baseline> before = read(text, "base.txt");
  EXPECT_TRUE(before.ok()) << before.message();
  keep_measures(now, {});
  Result<diff::Comparison> made =
      diff::compare(std::move(before->report), "base.txt", std::move(now), "new.json", {});
  EXPECT_TRUE(made.ok()) << made.message();
  diff::evict_alike(*made);
  return std::move(made).value();
}

// Contexts, evicted ones included, with more or fewer calls than in the baseline.
std::uint64_t differing(const diff::Comparison& comparison) {
  std::uint64_t count = 0;
  for (std::size_t node = 0; node < comparison.presence.size(); ++node) {
    count += comparison.old_values(0)[node] != comparison.new_values(0)[node] ? 1 : 0;
  }
  return count;
}

// Random reports may give one class several stable names, which no program does; classes are then paired by chance.
bool differs_from_its_own_sum(const ReportModel& report) {
  identity::Merge merge(identity::kByMethodsAlone);
  EXPECT_TRUE(merge.add(report, "").ok());
  Result<diff::Comparison> made = diff::compare(merge.take(), "sum.json", report, "new.json", {});
  EXPECT_TRUE(made.ok()) << made.message();
  return differing(*made) != 0;
}

TEST(BaselineProperty, IsWrittenAgainAsItWasReadAndDiffersInExactlyTheContextThatDoes) {
  std::uint64_t compared_ones = 0;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const ReportModel report = testing::random_report(seed);
    if (differs_from_its_own_sum(report)) continue;
    for (const std::uint64_t most : {2UL, 5UL, 30UL, 1000UL}) {
      const Result<Baseline> made = chosen(report, {{}, {}, most});
      if (!made.ok()) {
        EXPECT_EQ(report.totals.calls, 0U) << made.message();
        continue;
      }
      const std::string text = text_of(*made);
      const Result<Baseline> again = read(text, "base.txt");
      ASSERT_TRUE(again.ok()) << again.message();
      EXPECT_EQ(text_of(*again), text);
      EXPECT_EQ(again->report.totals.calls, report.totals.calls);
      EXPECT_EQ(differing(compared(text, report)), 0U) << text;
      ReportModel more = report;
      const std::size_t row = 1 + seed % (more.nodes.calls.size() - 1);
      more.nodes.calls[row] += 1;
      ++more.totals.calls;
      ++more.totals.calls_seen;
      EXPECT_EQ(differing(compared(text, more)), 1U) << text;
      ++compared_ones;
    }
  }
  EXPECT_GT(compared_ones, 3 * kSeeds);
}

}  // namespace
}  // namespace copse::baseline
