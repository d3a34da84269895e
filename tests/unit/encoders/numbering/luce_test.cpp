#include "encoders/numbering/luce.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "support/numbering_samples.h"

namespace copse::encoders {
namespace {

using encoders::LuceGraph;
using test::call;
using test::edge;

// Along several edges, from ROOT.
std::uint64_t enter(CodeNumbering& numbering, const std::vector<EdgeKey>& path) {
  std::uint64_t code = 0;
  for (const EdgeKey edge : path) code = call(numbering, edge, code).value();
  return code;
}

// Decoded within ROOT's piece.
std::string path_to(const CodeNumbering& numbering, unsigned method, std::uint64_t code) {
  std::string path;
  while (method != 0) {
    path.insert(0, 1, static_cast<char>(method));
    const auto step = numbering.step_to(MethodId{method}, code, kRootMethod);
    if (!step) return "?" + path;
    method = raw(caller_of(step->edge));
    code = step->code;
  }
  return path;
}

// The paper's Example 3: A and X are entries, both call B; B calls C and D, these E.
struct Example3 {
  LuceNumbering numbering;
  std::uint64_t abce = enter(numbering, {entry_edge(MethodId{'A'}), edge('A', 1, 'B'),
                                         edge('B', 1, 'C'), edge('C', 1, 'E')});
  std::uint64_t abde = enter(numbering, {entry_edge(MethodId{'A'}), edge('A', 1, 'B'),
                                         edge('B', 2, 'D'), edge('D', 1, 'E')});
  std::uint64_t xbde = enter(numbering, {entry_edge(MethodId{'X'}), edge('X', 1, 'B'),
                                         edge('B', 2, 'D'), edge('D', 1, 'E')});

  std::uint64_t luce(std::uint64_t code) const {
    return numbering.luce_code(MethodId{'E'}, code).value().code;
  }
};

TEST(LuceNumbering, GivesTheCodesOfThePapersExample) {
  const Example3 example;
  EXPECT_EQ(example.luce(example.abce), 0u);
  EXPECT_EQ(example.luce(example.abde), 1u);
  // C was not entered again: it counts 1, D counts 2 by now.
  EXPECT_EQ(example.luce(example.xbde), 2u);
  EXPECT_EQ(example.numbering.graph().count(MethodId{'E'}), 3u);
}

TEST(LuceNumbering, DecodesWhatItGaveOutInEveryVersion) {
  const Example3 example;
  EXPECT_EQ(path_to(example.numbering, 'E', example.abce), "ABCE");
  EXPECT_EQ(path_to(example.numbering, 'E', example.abde), "ABDE");
  EXPECT_EQ(path_to(example.numbering, 'E', example.xbde), "XBDE");
}

TEST(LuceNumbering, GivesAContextTheCodeItHadBefore) {
  Example3 example;
  const std::uint64_t version = example.numbering.graph().version();
  EXPECT_EQ(enter(example.numbering, {entry_edge(MethodId{'A'}), edge('A', 1, 'B'),
                                      edge('B', 1, 'C'), edge('C', 1, 'E')}),
            example.abce);
  EXPECT_EQ(example.numbering.graph().version(), version) << "known calls make no version";
}

// The paper's Example 4: AB, then A'B, BC, CD, and D calls B. Ours starts a piece there.
TEST(LuceNumbering, StartsAPieceWhereTheCountsWouldDoubleForEver) {
  LuceNumbering numbering;
  enter(numbering, {entry_edge(MethodId{'A'}), edge('A', 1, 'B')});
  const std::vector<EdgeKey> path = {entry_edge(MethodId{'a'}), edge('a', 1, 'B'),
                                     edge('B', 1, 'C'), edge('C', 1, 'D')};
  const std::uint64_t c = enter(numbering, {path[0], path[1], path[2]});
  const std::uint64_t d = enter(numbering, path);
  EXPECT_EQ(numbering.luce_code(MethodId{'C'}, c)->code, 1u);
  EXPECT_EQ(numbering.luce_code(MethodId{'D'}, d)->code, 1u);
  EXPECT_EQ(call(numbering, edge('D', 1, 'B'), d), std::nullopt);
  EXPECT_EQ(path_to(numbering, 'D', d), "aBCD");
  // Round and round in the new piece: nothing is made after the first time.
  std::uint64_t versions = 0;
  for (int round = 0; round < 3; ++round) {
    const std::uint64_t again =
        call(numbering, edge('C', 1, 'D'), *call(numbering, edge('B', 1, 'C'), 0)).value();
    EXPECT_EQ(call(numbering, edge('D', 1, 'B'), again), std::nullopt);
    const auto step = numbering.step_to(MethodId{'D'}, again, MethodId{'B'});
    ASSERT_TRUE(step);
    EXPECT_EQ(step->edge, edge('C', 1, 'D'));
    EXPECT_EQ(numbering.step_to(MethodId{'C'}, step->code, MethodId{'B'})->code, 0u);
    if (round != 0) {
      EXPECT_EQ(numbering.graph().version(), versions);
    }
    versions = numbering.graph().version();
  }
}

TEST(LuceNumbering, CutsWhatWouldCloseACycleEvenWhereNoCallRecurs) {
  LuceNumbering numbering;
  const std::uint64_t one = enter(numbering, {entry_edge(MethodId{1})});
  const std::uint64_t two = enter(numbering, {entry_edge(MethodId{2})});
  EXPECT_TRUE(call(numbering, edge(1, 1, 2), one));
  EXPECT_EQ(call(numbering, edge(2, 1, 1), two), std::nullopt);
  EXPECT_EQ(call(numbering, edge(1, 2, 1), one), std::nullopt) << "itself";
}

TEST(LuceNumbering, TellsAPieceFromAThreadThatStartsWithItsMethod) {
  LuceNumbering numbering;
  const std::uint64_t entered = enter(numbering, {entry_edge(MethodId{1})});
  const std::uint64_t by_thread = call(numbering, edge(1, 1, 2), entered).value();
  const std::uint64_t by_piece = call(numbering, edge(1, 1, 2), 0).value();
  EXPECT_EQ(numbering.step_to(MethodId{2}, by_thread, kRootMethod)->code, entered);
  EXPECT_EQ(numbering.step_to(MethodId{2}, by_piece, MethodId{1})->code, 0u);
  EXPECT_EQ(numbering.step_to(MethodId{1}, 0, kRootMethod), std::nullopt);
}

TEST(LuceNumbering, StartsPiecesForGoodWhereAMethodHasNoCodeLeft) {
  LuceNumbering numbering({.most_codes = 4, .longest = 4});
  std::vector<std::uint64_t> codes;
  for (unsigned method = 1; method <= 6; ++method) {
    codes.push_back(enter(numbering, {entry_edge(MethodId{method})}));
  }
  unsigned mapped = 0;
  std::vector<bool> is_mapped;
  for (unsigned method = 1; method <= 6; ++method) {
    is_mapped.push_back(call(numbering, edge(method, 1, 9), codes[method - 1]).has_value());
    mapped += is_mapped.back();
  }
  EXPECT_GT(mapped, 0u);
  EXPECT_LT(mapped, 6u);
  for (unsigned method = 1; method <= 6; ++method) {
    EXPECT_EQ(call(numbering, edge(method, 1, 9), codes[method - 1]).has_value(),
              is_mapped[method - 1])
        << method;
  }
  EXPECT_LT(numbering.largest_code(), 4u);
}

TEST(LuceNumbering, KnowsWhatItMadeAndNothingElse) {
  LuceNumbering numbering;
  EXPECT_EQ(numbering.known_mapping(entry_edge(MethodId{1}), 0), std::nullopt);
  enter(numbering, {entry_edge(MethodId{1})});
  EXPECT_TRUE(numbering.known_mapping(entry_edge(MethodId{1}), 0));
  EXPECT_EQ(numbering.known_mapping(entry_edge(MethodId{1}), 1), std::nullopt);
  EXPECT_EQ(numbering.mapping(edge(1, 1, 2), 77), std::nullopt) << "a code not given out";
}

TEST(LuceNumbering, DecodesFromItsStateWhatItGaveOut) {
  const Example3 example;
  wire::StateWriter state;
  example.numbering.save(state);
  wire::StateReader in(state.bytes(), 0);
  LuceNumbering read;
  read.load(in);
  ASSERT_TRUE(in.ok() && in.at_end()) << in.status().message();
  EXPECT_EQ(path_to(read, 'E', example.abce), "ABCE");
  EXPECT_EQ(path_to(read, 'E', example.xbde), "XBDE");
}

TEST(LuceNumbering, SurvivesAnyStateThatAFileMayHold) {
  LuceNumbering numbering;
  for (unsigned method = 1; method < 8; ++method) {
    const std::uint64_t code = enter(numbering, {entry_edge(MethodId{method})});
    for (unsigned callee = method + 1; callee < 8; ++callee) {
      call(numbering, edge(method, callee, callee), code);
      call(numbering, edge(method, callee, callee), 0);
    }
  }
  wire::StateWriter state;
  numbering.save(state);
  unsigned read_well = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::vector<std::uint8_t> bytes = state.bytes();
    for (std::uint64_t i = 0; i <= seed % 2; ++i)
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    if (seed % 3 == 0) bytes.resize(bytes.size() - 1);
    wire::StateReader in(bytes, 0);
    LuceNumbering read;
    read.load(in);
    if (!in.ok()) continue;
    ++read_well;
    for (std::uint32_t method = 0; method < 300; ++method) {
      for (std::uint64_t code = 0; code < 40; ++code) {
        const auto luce = read.luce_code(MethodId{method}, code);
        const auto step = read.step_to(MethodId{method}, code, MethodId{1});
        if (!step || step->code == 0) continue;
        // Versions fall, so that every walk ends.
        const auto caller = read.luce_code(caller_of(step->edge), step->code);
        ASSERT_TRUE(caller && luce && caller->version < luce->version);
      }
    }
  }
  EXPECT_GT(read_well, 100u);
}

}  // namespace
}  // namespace copse::encoders
