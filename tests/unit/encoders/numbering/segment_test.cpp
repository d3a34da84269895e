#include "encoders/numbering/segment.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <span>
#include <vector>

#include "support/numbering_samples.h"

namespace copse::encoders {
namespace {

using test::call;
using test::edge;

TEST(SegmentNumbering, GivesEveryContextOfAPieceItsOwnCode) {
  SegmentNumbering numbering;
  const auto one = call(numbering, entry_edge(MethodId{1}), 0);
  const auto by_first = call(numbering, edge(1, 1, 2), *one);
  const auto by_second = call(numbering, edge(1, 2, 2), *one);
  EXPECT_NE(by_first, by_second);
  const auto step = numbering.step_to(MethodId{2}, *by_second, kNoMethod);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->edge, edge(1, 2, 2));
  EXPECT_EQ(step->code, *one);
}

TEST(SegmentNumbering, NeverGivesOutCodeZeroWhichBeginsAPiece) {
  SegmentNumbering numbering;
  EXPECT_NE(call(numbering, entry_edge(MethodId{1}), 0), 0u);
  EXPECT_EQ(numbering.step_to(MethodId{1}, 0, kNoMethod), std::nullopt);
}

TEST(SegmentNumbering, CutsAnEdgeWhoseCalleeIsOnThePathOfThePiece) {
  SegmentNumbering numbering;
  const auto one = call(numbering, entry_edge(MethodId{1}), 0);
  const auto two = call(numbering, edge(1, 1, 2), *one);
  const auto three = call(numbering, edge(2, 1, 3), *two);
  EXPECT_EQ(call(numbering, edge(3, 1, 2), *three), std::nullopt);
  EXPECT_EQ(call(numbering, edge(2, 9, 2), *two), std::nullopt) << "itself";
  // In the new piece, which starts with method 2, codes are known already.
  const std::uint64_t ranges = numbering.mapping_count();
  const auto again = call(numbering, edge(2, 1, 3), 0);
  EXPECT_TRUE(again);
  EXPECT_EQ(numbering.mapping_count(), ranges);
  EXPECT_EQ(call(numbering, edge(3, 1, 2), *again), std::nullopt);
  EXPECT_EQ(call(numbering, edge(3, 1, 1), *again), call(numbering, edge(3, 1, 1), *again))
      << "method 1 is in the piece before";
}

TEST(SegmentNumbering, DoesNotCutAnEdgeOfACycleThatNoCallClosed) {
  SegmentNumbering numbering;
  const auto one = call(numbering, entry_edge(MethodId{1}), 0);
  const auto two = call(numbering, entry_edge(MethodId{2}), 0);
  EXPECT_TRUE(call(numbering, edge(1, 1, 2), *one));
  EXPECT_TRUE(call(numbering, edge(2, 1, 1), *two));
}

TEST(SegmentNumbering, CutsAnEdgeForWhichItsCalleeHasNoCodeLeft) {
  SegmentNumbering numbering({.most_codes = 4, .longest = 4, .reserve = 0});
  for (unsigned method = 1; method <= 3; ++method) {
    EXPECT_TRUE(call(numbering, entry_edge(MethodId{method}), 0));
    EXPECT_TRUE(call(numbering, edge(method, 1, 10 + method), 1));
  }
  // Each caller has codes 0 and 1; method 9 has room for three codes.
  EXPECT_TRUE(call(numbering, edge(1, 2, 9), 1));
  EXPECT_EQ(call(numbering, edge(2, 2, 9), 1), std::nullopt);
  EXPECT_EQ(call(numbering, edge(2, 2, 9), 0), std::nullopt) << "once cut, cut for ever";
  EXPECT_TRUE(call(numbering, edge(1, 2, 9), 0)) << "what was mapped stays";
  EXPECT_LT(numbering.largest_code(), 4u);
}

TEST(SegmentNumbering, KnowsWhatItMadeAndNothingElse) {
  SegmentNumbering numbering;
  EXPECT_EQ(numbering.known_mapping(entry_edge(MethodId{1}), 0), std::nullopt);
  call(numbering, entry_edge(MethodId{1}), 0);
  EXPECT_TRUE(numbering.known_mapping(entry_edge(MethodId{1}), 0));
  EXPECT_EQ(numbering.known_mapping(entry_edge(MethodId{1}), 1), std::nullopt);
  EXPECT_EQ(numbering.mapping_count(), 1u);
}

TEST(SegmentNumbering, SurvivesAnyStateThatAFileMayHold) {
  SegmentNumbering numbering;
  for (unsigned method = 1; method < 8; ++method) {
    call(numbering, entry_edge(MethodId{method}), 0);
    for (unsigned callee = method + 1; callee < 8; ++callee) {
      call(numbering, edge(method, callee, callee), 1);
    }
  }
  wire::StateWriter state;
  numbering.save(state);
  unsigned read_well = 0, steps = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::vector<std::uint8_t> bytes = state.bytes();
    for (std::uint64_t i = 0; i <= seed % 3; ++i)
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    if (seed % 4 == 0) bytes.resize(bytes.size() - 1 - random() % 2);
    wire::StateReader in(bytes, 0);
    SegmentNumbering read;
    read.load(in);
    if (!in.ok()) continue;
    ++read_well;
    for (std::uint32_t method = 0; method < 300; ++method) {
      for (std::uint64_t code = 0; code < 40; ++code) {
        const auto step = read.step_to(MethodId{method}, code, kNoMethod);
        if (!step) continue;
        ++steps;
        ASSERT_EQ(callee_of(step->edge), MethodId{method});
      }
    }
  }
  EXPECT_GT(read_well, 100u);
  EXPECT_LT(read_well, 2000u);
  EXPECT_GT(steps, read_well);
}

}  // namespace
}  // namespace copse::encoders
