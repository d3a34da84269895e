#include "encoders/numbering/rcce.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "encoders/numbering/id_decode.h"
#include "support/numbering_samples.h"

namespace copse::encoders {
namespace {

using graph::CallGraph;
using test::SameNames;

constexpr MethodId kMain{1};
constexpr MethodId kA{2};
constexpr EdgeKey kRecursion = edge_key({kA, SiteOrdinal{1}}, kA);
constexpr EdgeKey kCallOfA = edge_key({kMain, SiteOrdinal{1}}, kA);

// The paper's factorial: main calls a, which calls itself.
std::unique_ptr<RcceNumbering> factorial() {
  CallGraph graph;
  for (const EdgeKey edge : {entry_edge(kMain), kCallOfA, kRecursion}) graph.add(edge);
  return std::make_unique<RcceNumbering>(std::move(graph), std::make_unique<SameNames>());
}

// The callee's context by its caller's, as ids; nothing where a piece starts.
std::optional<std::uint64_t> frame(RcceNumbering& numbering, EdgeKey edge, std::uint64_t word) {
  const auto mapping = numbering.mapping(edge, id_code(word));
  const std::uint64_t callee = raw(callee_of(edge));
  if (!mapping) return std::nullopt;
  const std::uint64_t code = (*mapping)(id_code(word));
  EXPECT_LT(id_code(word), mapping->length);
  EXPECT_LT(code, kMostIdCodes);
  return id_piece(word) << kIdPieceShift | code << kIdCodeShift | callee;
}

// 1, 2, 5, 11, 23, 47, 95 in the paper; codes here are one less.
TEST(RcceNumbering, NumbersThePapersFactorial) {
  const auto numbering = factorial();
  std::uint64_t word = *frame(*numbering, entry_edge(kMain), 0);
  std::vector<std::uint64_t> ids = {id_code(word) + 1};
  word = *frame(*numbering, kCallOfA, word);
  for (int depth = 0; depth < 6; ++depth) {
    ids.push_back(id_code(word) + 1);
    word = *frame(*numbering, kRecursion, word);
  }
  EXPECT_EQ(ids, (std::vector<std::uint64_t>{1, 2, 5, 11, 23, 47, 95}));
}

TEST(RcceNumbering, StartsAPieceWhereAProductHasNoRoom) {
  const auto numbering = factorial();
  std::uint64_t word = *frame(*numbering, kCallOfA, *frame(*numbering, entry_edge(kMain), 0));
  int depth = 1;
  for (; depth < 100; ++depth) {
    const auto next = frame(*numbering, kRecursion, word);
    if (!next) break;
    word = *next;
    const auto decoded = decode_id(*numbering, IdPieceList(), word);
    ASSERT_TRUE(decoded.ok()) << decoded.message();
    EXPECT_EQ(decoded->size(), static_cast<std::size_t>(depth) + 2);
  }
  EXPECT_EQ(depth, 15) << "3 * 2^14 - 1 is the last below 2^16";
}

TEST(RcceNumbering, GrowsAroundCyclesThatRootDoesNotReach) {
  CallGraph graph;
  const EdgeKey there = edge_key({MethodId{5}, SiteOrdinal{1}}, MethodId{6});
  const EdgeKey back = edge_key({MethodId{6}, SiteOrdinal{1}}, MethodId{5});
  graph.add(there);
  graph.add(back);
  RcceNumbering numbering(std::move(graph), std::make_unique<SameNames>());
  EXPECT_EQ(numbering.mapping(entry_edge(MethodId{5}), 0), std::nullopt);
  const std::uint64_t start = std::uint64_t{1} << kIdPieceShift | 5;
  const std::uint64_t again = *frame(numbering, back, *frame(numbering, there, start));
  EXPECT_NE(id_code(again), 0u) << "it would look like the piece's start";
}

TEST(RcceNumbering, SurvivesAnyStateThatAFileMayHold) {
  const auto numbering = factorial();
  for (const EdgeKey edge : {entry_edge(kMain), kCallOfA, kRecursion}) numbering->mapping(edge, 0);
  wire::StateWriter state;
  numbering->save(state);
  {
    wire::StateReader in(state.bytes(), 0);
    RcceNumbering read;
    read.load(in);
    ASSERT_TRUE(in.ok() && in.at_end());
    const auto step = read.step_to(kA, 4, kNoMethod);
    ASSERT_TRUE(step);
    EXPECT_EQ(step->edge, kRecursion);
    EXPECT_EQ(step->code, 1u);
  }
  unsigned read_well = 0, decoded = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::vector<std::uint8_t> bytes = state.bytes();
    for (int i = 0; i < 3; ++i)
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    wire::StateReader in(bytes, 0);
    RcceNumbering read;
    read.load(in);
    if (!in.ok()) continue;
    ++read_well;
    for (int i = 0; i < 10; ++i) {
      const std::uint64_t id =
          context_id(random() % 64, MethodId{static_cast<std::uint32_t>(random() % 16)});
      const Result<CallPath> path = decode_id(read, IdPieceList(), id);
      if (!path.ok() || path->empty()) continue;
      ++decoded;
      ASSERT_EQ(callee_of(path->back()), id_method(id));
    }
  }
  EXPECT_GT(read_well, 100u);
  EXPECT_LT(read_well, 2000u);
  EXPECT_GT(decoded, 0u);
}

}  // namespace
}  // namespace copse::encoders
