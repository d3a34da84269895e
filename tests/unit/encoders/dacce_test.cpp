#include "encoders/numbering/dacce.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "encoders/replay/piece_encoder.h"
#include "letters.h"

namespace copse::encoders {
namespace {

constexpr std::uint64_t kNever = std::uint64_t{1} << 40;
constexpr EdgeKey kBD = edge("BD"), kCD = edge("CD");

// D has two callers; B's call was met first. Epochs begin by heat alone.
DacceNumbering diamond(std::uint64_t first_heat = 64) {
  DacceNumbering numbering(DacceNumberingOptions{
      .first_edges = kNever, .first_pieces = kNever, .first_heat = first_heat});
  for (const EdgeKey e : {entry_edge(letter('A')), edge("AB", 1), edge("AC", 2), kBD, kCD}) {
    numbering.mapping(e, 0);
  }
  numbering.begin_epoch();
  return numbering;
}

std::uint64_t addition(DacceNumbering& numbering, EdgeKey edge) {
  return numbering.mapping(edge, 0)->addition;
}

std::uint64_t fact(const DacceNumbering& numbering, std::string_view name) {
  const SchemeFacts facts = numbering.facts();
  const auto found = std::ranges::find(facts.values, name, &SchemeFact::name);
  return found == facts.values.end() ? ~std::uint64_t{0} : found->value;
}

// Collects contexts that end with this call until an epoch is wanted; false if none ever is.
bool heats(DacceNumbering& numbering, EdgeKey edge) {
  for (int i = 0; i < 100'000 && !numbering.wants_epoch(); ++i) numbering.note_collected(edge);
  return numbering.wants_epoch();
}

TEST(DacceNumbering, TheHottestCallOfAMethodAddsNothing) {
  DacceNumbering numbering = diamond();
  EXPECT_EQ(addition(numbering, kBD), 0u);
  EXPECT_EQ(addition(numbering, kCD), 1u);
  ASSERT_TRUE(heats(numbering, kCD));
  numbering.begin_epoch();
  EXPECT_EQ(numbering.facts().epochs.back().trigger, "heat");
  EXPECT_EQ(addition(numbering, kCD), 0u);
  EXPECT_EQ(addition(numbering, kBD), 1u);
  EXPECT_FALSE(heats(numbering, kCD)) << "it adds nothing now";

  const auto before = numbering.of_epoch(1)->step_to(letter('D'), 1, kRootMethod);
  ASSERT_TRUE(before.has_value());
  EXPECT_EQ(before->edge, kCD) << "tokens of the earlier epoch mean what they meant";
  const auto now = numbering.of_epoch(2)->step_to(letter('D'), 1, kRootMethod);
  ASSERT_TRUE(now.has_value());
  EXPECT_EQ(now->edge, kBD);
}

TEST(DacceNumbering, HeatThatMovesBackBeginsAnotherEpochAfterTwiceAsManyContexts) {
  DacceNumbering numbering = diamond();
  ASSERT_TRUE(heats(numbering, kCD));
  numbering.begin_epoch();
  ASSERT_TRUE(heats(numbering, kBD));
  numbering.begin_epoch();
  EXPECT_EQ(addition(numbering, kBD), 0u);
  const SchemeFacts facts = numbering.facts();
  ASSERT_EQ(facts.epochs.size(), 4u);
  EXPECT_EQ(facts.epochs[2].trigger, "heat");
  EXPECT_EQ(facts.epochs[3].trigger, "heat");
}

TEST(DacceNumbering, CallsOfEqualHeatKeepTheirNumbers) {
  DacceNumbering numbering = diamond();
  for (int i = 0; i < 10'000; ++i) numbering.note_collected(i % 2 == 0 ? kBD : kCD);
  EXPECT_FALSE(numbering.wants_epoch());
}

TEST(DacceNumbering, TellsHowManyCollectedCallsAddNothing) {
  DacceNumbering numbering = diamond();
  for (int i = 0; i < 30; ++i) numbering.note_collected(i < 20 ? kBD : kCD);
  numbering.note_collected(edge("XY"));  // of no context of this program
  EXPECT_EQ(fact(numbering, "collected"), 30u);
  EXPECT_EQ(fact(numbering, "collected_free"), 20u);
}

// D has two contexts. No call has asked for the number of one yet.
TEST(DacceNumbering, ItsLargestIdIsThatOfItsEpochs) {
  const DacceNumbering numbering = diamond();
  EXPECT_EQ(numbering.facts().epochs.back().max_id, 1u);
  EXPECT_EQ(fact(numbering, "max_id"), 1u);
}

TEST(DacceNumbering, WithoutHeatTheOrderOfDiscoveryStays) {
  DacceNumbering numbering = diamond(0);
  EXPECT_FALSE(heats(numbering, kCD));
  numbering.begin_epoch();
  EXPECT_EQ(addition(numbering, kBD), 0u);
}

// A new edge begins an epoch as long as there are few, and later a quarter of all.
TEST(DacceNumbering, ContextsOfManyEpochsDecodeInEachOfThem) {
  PieceEncoder encoder(std::make_unique<DacceNumbering>(DacceNumberingOptions{.first_edges = 1}));
  auto& thread = enter(encoder, 'A', {});
  std::vector<std::pair<Token, EdgeKey>> taken;
  for (std::uint16_t site = 1; site <= 2000; ++site) {
    const EdgeKey call = edge("AB", site);
    for (int again = 0; again < 2; ++again) {
      encoder.call(thread, call);
      taken.emplace_back(token_of(encoder, thread), call);
      encoder.ret(thread);
    }
  }
  EXPECT_GT(encoder.pieces().epoch(), 20u);
  for (const auto& [token, call] : taken) {
    const Result<CallPath> path = encoder.decode(token);
    ASSERT_TRUE(path.ok()) << path.message();
    EXPECT_EQ(*path, (CallPath{entry_edge(letter('A')), call}));
  }
}

TEST(DacceNumbering, PiecesAsAnEarlierVersionNumberedThemAreRefused) {
  wire::StateWriter earlier;
  earlier.number(1);  // one epoch
  earlier.number(0);  // without pieces
  wire::StateReader in(earlier.bytes(), 0);
  IdPieceList pieces(true);
  pieces.load(in);
  EXPECT_FALSE(in.ok());
}

}  // namespace
}  // namespace copse::encoders
