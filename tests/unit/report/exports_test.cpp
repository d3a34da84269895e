// Common parts of several formats of other tools: stacks, recursion, threads.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "report/exports/names.h"
#include "report/exports/stacks.h"
#include "report/exports/tool_formats.h"
#include "report/model/display_names.h"
#include "report/model/measure_view.h"
#include "report/model/thread_rows.h"
#include "support/small_report.h"

namespace copse::report {
namespace {

using testing::SmallReport;

struct Seen {
  std::vector<std::uint32_t> locations;
  std::int64_t calls;
  bool operator==(const Seen&) const = default;
};

std::vector<Seen> seen(Stacks& stacks) {
  std::vector<Seen> all;
  stacks.for_each([&](const Stacks::Stack& stack) {
    Seen one{{}, stack.values[0]};
    std::uint32_t number = 0;
    int shift = 0;
    for (const char c : stack.locations) {
      const auto byte = static_cast<unsigned char>(c);
      number |= static_cast<std::uint32_t>(byte & 0x7F) << shift;
      shift += 7;
      if (byte < 0x80) {
        one.locations.push_back(number);
        number = 0;
        shift = 0;
      }
    }
    all.push_back(one);
  });
  return all;
}

constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();

// A chain of `length` frames, each called once.
SmallReport chain(int length) {
  SmallReport report;
  const std::int32_t method = report.method("a.A", "f");
  std::int32_t node = 0;
  for (int i = 0; i < length; ++i) node = report.node(node, method, i == 0 ? -1 : 7);
  return report;
}

TEST(Stacks, HaveTheLineOfTheCallInEachCallerAndNoneInTheLastFrame) {
  SmallReport report;
  const std::int32_t main = report.method("a.A", "main");
  const std::int32_t work = report.method("a.A", "work");
  const std::int32_t top = report.node(0, main);
  const std::int32_t first = report.node(top, work, 3, 0, 5);
  report.node(first, work, 9, 0, 2);
  report.node(top, work, 4, 0, 6);
  Stacks stacks(report.model, measures_on_offer(report.model), kAny, kAny);
  const std::vector<Seen> all = seen(stacks);
  const auto words = [&](std::size_t i) {
    std::string text;
    for (const std::uint32_t id : all[i].locations) {
      const Stacks::Location& at = stacks.locations()[id - 1];
      text +=
          DisplayNames(report.model.methods).plain(at.method) + ":" + std::to_string(at.line) + " ";
    }
    return text + std::to_string(all[i].calls);
  };
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(words(0), "a.A.main:0 1");
  EXPECT_EQ(words(1), "a.A.work:0 a.A.main:3 5");
  EXPECT_EQ(words(2), "a.A.work:0 a.A.work:9 a.A.main:3 2");
  EXPECT_EQ(words(3), "a.A.work:0 a.A.main:4 6");
  EXPECT_EQ(stacks.cut_at(), 0u);
}

TEST(Stacks, AreCutWhereTheyWouldBeTooLargeAndKeepEveryCall) {
  const SmallReport report = chain(1000);
  Stacks whole(report.model, measures_on_offer(report.model), kAny, kAny);
  EXPECT_EQ(seen(whole).back().locations.size(), 1000u);
  Stacks cut(report.model, measures_on_offer(report.model), kAny, 100'000);
  ASSERT_GT(cut.cut_at(), 100u);
  ASSERT_LT(cut.cut_at(), 1000u);
  const std::vector<Seen> all = seen(cut);
  EXPECT_EQ(all.size(), cut.cut_at());
  EXPECT_EQ(all.back().locations.size(), cut.cut_at());
  std::int64_t calls = 0;
  std::uint64_t bytes = 0;
  for (const Seen& one : all) {
    calls += one.calls;
    bytes += one.locations.size();
  }
  EXPECT_EQ(calls, 1000);
  EXPECT_LE(bytes, 100'000u);
}

TEST(Stacks, OfFewerFramesThanAskedForAreNotCut) {
  const SmallReport report = chain(5);
  Stacks stacks(report.model, measures_on_offer(report.model), 3, kAny);
  const std::vector<Seen> all = seen(stacks);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all.back().calls, 3);
  EXPECT_EQ(stacks.cut_at(), 0u) << "it was asked for";
}

TEST(Stacks, HaveThreadsBesideThem) {
  SmallReport report;
  const std::int32_t thread = report.method("", "[pool-*-thread-*]", "");
  const std::int32_t run = report.method("a.A", "run");
  const std::int32_t node = report.node(0, thread, -1, 0, 0);
  report.node(node, run);
  report.node(0, run, -1, 0, 4);
  EXPECT_EQ(thread_of(report.model, 1), "pool-*-thread-*");
  EXPECT_FALSE(thread_of(report.model, 2));
  Stacks stacks(report.model, measures_on_offer(report.model), kAny, kAny);
  std::vector<std::int32_t> threads;
  stacks.for_each([&](const Stacks::Stack& stack) { threads.push_back(stack.thread); });
  EXPECT_EQ(threads, (std::vector<std::int32_t>{node, -1}));
}

TEST(Callgrind, CountsWhatIsBelowARecursionOnce) {
  SmallReport report;
  const std::int32_t main = report.method("a.A", "main");
  const std::int32_t even = report.method("a.A", "even");
  const std::int32_t odd = report.method("a.A", "odd");
  const std::int32_t top = report.node(0, main);
  const std::int32_t a = report.node(top, even, 1, 0, 1);
  const std::int32_t b = report.node(a, odd, 2, 0, 10);
  const std::int32_t c = report.node(b, even, 3, 0, 100);
  report.node(c, odd, 2, 0, 1000);
  StringOutput out;
  write_callgrind(report.model, out);
  ASSERT_TRUE(out.finish().ok());
  EXPECT_NE(out.text().find("calls=1 0\n1 1111\n"), std::string::npos) << out.text();
  EXPECT_NE(out.text().find("calls=1010 0\n2 1110\n"), std::string::npos) << out.text();
  EXPECT_NE(out.text().find("calls=100 0\n3 0\n"), std::string::npos) << out.text();
  EXPECT_NE(out.text().find("totals: 1112\n"), std::string::npos) << out.text();
}

TEST(Callgrind, HasNoCostsOfACallBehindNoCalls) {
  SmallReport report;
  const std::int32_t main = report.method("a.A", "main");
  report.node(report.node(0, main, -1, 0, 0), report.method("a.A", "work"), 5, 0, 3);
  StringOutput out;
  write_callgrind(report.model, out);
  ASSERT_TRUE(out.finish().ok());
  EXPECT_EQ(out.text().find("calls=0"), std::string::npos)
      << "readers take them for the caller's own";
  EXPECT_NE(out.text().find("calls=1 0\n0 3\n"), std::string::npos) << out.text();
  EXPECT_NE(out.text().find("desc: Note: calls=1 of 1 "), std::string::npos) << "and says so";
}

}  // namespace
}  // namespace copse::report
