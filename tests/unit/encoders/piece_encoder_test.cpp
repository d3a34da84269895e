#include "encoders/replay/piece_encoder.h"

#include <gtest/gtest.h>

#include "encoders/numbering/dacce.h"
#include "encoders/numbering/segment.h"
#include "letters.h"
#include "support/expect_fault.h"

namespace copse::encoders {
namespace {

TEST(PieceEncoder, GivesARecursiveContextThePieceItHadBefore) {
  PieceEncoder encoder(std::make_unique<SegmentNumbering>());
  Token first;
  for (int repetition = 0; repetition < 3; ++repetition) {
    auto& thread = enter(encoder, 'A', {edge("AB"), edge("BA", 2), edge("AB")});
    const Token token = token_of(encoder, thread);
    if (repetition == 0) first = token;
    EXPECT_EQ(token, first);
    EXPECT_EQ(token.size(), 8u);
    EXPECT_EQ(decoded_letters(encoder, token), "ABAB");
  }
  EXPECT_EQ(encoder.pieces().count(), 1u);
}

TEST(PieceEncoder, AsksTheNumberingOnceForACallThatItMaps) {
  PieceEncoder encoder(std::make_unique<SegmentNumbering>());
  auto& thread = enter(encoder, 'A', {});
  for (int i = 0; i < 100; ++i) {
    encoder.call(thread, edge("AB"));
    encoder.ret(thread);
  }
  EXPECT_EQ(encoder.slow_calls(), 2u) << "A's entry and the first call of B";
}

// Every edge begins an epoch. A was entered in the first one, and calls in later ones.
TEST(PieceEncoder, TranslatesAFrameOfAnEarlierEpochWhenItCalls) {
  PieceEncoder encoder(std::make_unique<DacceNumbering>(DacceNumberingOptions{.first_edges = 1}));
  auto& thread = enter(encoder, 'A', {});
  const Token old = token_of(encoder, thread);
  encoder.call(thread, edge("AB"));
  for (const char* step : {"BC", "CD", "DE", "EF"}) encoder.call(thread, edge(step));
  encoder.unwind(thread, 4);
  encoder.call(thread, edge("BD", 2));
  EXPECT_GE(encoder.pieces().epoch(), 2u);
  EXPECT_EQ(decoded_letters(encoder, token_of(encoder, thread)), "ABD");
  EXPECT_EQ(decoded_letters(encoder, old), "A");
}

TEST(PieceEncoder, RefusesATokenOfAnotherLengthOrOfNoContext) {
  PieceEncoder encoder(std::make_unique<SegmentNumbering>());
  enter(encoder, 'A', {});
  EXPECT_FAULT(encoder.decode(Token({1, 2, 3})), kMalformed, "segment", "8 bytes");
  EXPECT_FAULT(encoder.decode(Token({9, 0, 0, 7, 0, 0, 0, 0})), kNotFound, "segment");
  EXPECT_FAULT(encoder.decode(Token(std::vector<std::uint8_t>(8, 0xFF))), kLimit, "segment");
}

}  // namespace
}  // namespace copse::encoders
