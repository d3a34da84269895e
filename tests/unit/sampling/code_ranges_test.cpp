#include "shadowstack/sampling/code_ranges.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace copse::sampling {
namespace {

using Place = CodeRanges::Place;

bool has(const CodeRanges& ranges, std::uint64_t address) {
  return ranges.place_of(address) == Place::kOfInterest;
}

TEST(CodeRanges, TellPiecesFromWhatIsOfInterestInThem) {
  CodeRanges ranges;
  EXPECT_EQ(ranges.place_of(100), Place::kElsewhere);
  ranges.put({100, 200}, {{110, 120}, {150, 151}});
  ranges.put({300, 400}, {{300, 400}});
  ranges.put({500, 600}, {});
  for (const std::uint64_t inside : {110, 119, 150, 300, 399}) {
    EXPECT_EQ(ranges.place_of(inside), Place::kOfInterest) << inside;
  }
  for (const std::uint64_t between : {100, 109, 120, 149, 151, 199, 500, 599}) {
    EXPECT_EQ(ranges.place_of(between), Place::kInPiece) << between;
  }
  for (const std::uint64_t outside : {0, 99, 200, 299, 400, 499, 600}) {
    EXPECT_EQ(ranges.place_of(outside), Place::kElsewhere) << outside;
  }
}

TEST(CodeRanges, ForgetAPieceThatIsRemoved) {
  CodeRanges ranges;
  ranges.put({100, 200}, {{110, 120}});
  ranges.put({200, 300}, {{210, 220}});
  ranges.remove(110);  // no piece begins there
  EXPECT_TRUE(has(ranges, 110));
  ranges.remove(100);
  EXPECT_FALSE(has(ranges, 110));
  EXPECT_TRUE(has(ranges, 210));
}

// The JVM may give memory out again before it has told that the code there is gone.
TEST(CodeRanges, ForgetPiecesThatANewOneOverlaps) {
  for (const CodeRanges::Range& whole :
       {CodeRanges::Range{100, 300}, {150, 250}, {50, 400}, {199, 201}}) {
    SCOPED_TRACE(whole.begin);
    CodeRanges ranges;
    ranges.put({20, 50}, {{20, 50}});
    ranges.put({100, 200}, {{100, 200}});
    ranges.put({200, 300}, {{200, 300}});
    ranges.put({400, 500}, {{400, 500}});
    ranges.put(whole, {});
    for (const std::uint64_t gone : {100, 199, 200, 299}) EXPECT_FALSE(has(ranges, gone)) << gone;
    for (const std::uint64_t stays : {20, 49, 400, 499}) EXPECT_TRUE(has(ranges, stays)) << stays;
  }
}

TEST(CodeRanges, LeaveNeighboursOfANewPieceAlone) {
  CodeRanges ranges;
  ranges.put({100, 200}, {{100, 200}});
  ranges.put({300, 400}, {{300, 400}});
  ranges.put({200, 300}, {{200, 210}});
  EXPECT_TRUE(has(ranges, 199));
  EXPECT_TRUE(has(ranges, 200));
  EXPECT_FALSE(has(ranges, 210));
  EXPECT_TRUE(has(ranges, 300));
}

TEST(CodeRanges, OfATableHaveTheInstructionsUpToAndWithTheLastOneOfEachEntry) {
  using Entry = CodeRanges::Entry;
  const auto ranges = [](const std::vector<Entry>& table) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
    for (const auto& range : CodeRanges::of_table(100, table)) {
      found.emplace_back(range.begin, range.end);
    }
    return found;
  };
  using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  EXPECT_EQ(ranges({}), Pairs{});
  EXPECT_EQ(ranges({{110, true}, {120, false}}), (Pairs{{100, 111}}));
  EXPECT_EQ(ranges({{110, false}, {120, true}, {130, true}, {140, false}, {150, true}}),
            (Pairs{{111, 131}, {141, 151}}));
  // The code's first instruction has an entry of its own; a second entry for one instruction says nothing.
  EXPECT_EQ(ranges({{100, true}, {100, false}, {110, false}, {110, true}}), (Pairs{{100, 101}}));
}

}  // namespace
}  // namespace copse::sampling
