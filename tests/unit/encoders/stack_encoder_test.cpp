#include "encoders/replay/stack_encoder.h"

#include <gtest/gtest.h>

#include "encoders/numbering/dacce.h"
#include "encoders/replay/encoder_info.h"
#include "letters.h"
#include "support/expect_fault.h"

namespace copse::encoders {
namespace {

StackEncoder pcce(const graph::CallGraph& graph) {
  return StackEncoder(find_encoder("pcce-stack")->numbering(graph, nullptr, 1000));
}

TEST(StackEncoder, WritesARunOfEqualPushesOnce) {
  graph::CallGraph graph;
  for (const EdgeKey e : {entry_edge(letter('A')), edge("AA")}) graph.add(e);
  StackEncoder encoder = pcce(graph);
  auto& thread = enter(encoder, 'A', {edge("AA")});
  EXPECT_EQ(token_of(encoder, thread).size(), 12u + 16u);
  for (int depth = 0; depth < 98; ++depth) encoder.call(thread, edge("AA"));
  const Token token = token_of(encoder, thread);
  EXPECT_EQ(token.size(), 12u + 20u);
  EXPECT_EQ(decoded_letters(encoder, token), std::string(100, 'A'));
}

TEST(StackEncoder, PushesWhatTheGraphDoesNotKnow) {
  graph::CallGraph graph;
  for (const EdgeKey e : {entry_edge(letter('A')), edge("AB"), edge("BC")}) graph.add(e);
  StackEncoder encoder = pcce(graph);
  auto& thread = enter(encoder, 'A', {edge("AX"), edge("XB"), edge("BC")});
  ASSERT_EQ(thread.frames.back().height, 2u);
  EXPECT_EQ(thread.entries[1].edge, edge("XB"));
  EXPECT_EQ(decoded_letters(encoder, token_of(encoder, thread)), "AXBC");
}

TEST(StackEncoder, ANewEpochEncodesLiveThreadsAgainAndOldTokensStayRight) {
  StackEncoder encoder(std::make_unique<DacceNumbering>());
  auto& thread = enter(encoder, 'A', {edge("AB"), edge("BC")});
  const Token old = token_of(encoder, thread);
  EXPECT_EQ(thread.frames.back().height, 3u) << "nothing was known";
  encoder.begin_epoch();
  EXPECT_EQ(thread.frames.back().height, 0u) << "all is known";
  EXPECT_EQ(decoded_letters(encoder, token_of(encoder, thread)), "ABC");
  EXPECT_EQ(decoded_letters(encoder, old), "ABC");
}

// As on the slides: 8 new edges, later a quarter of those known, or 4,096 pushes of known ones.
TEST(StackEncoder, OfDacceBeginsAnEpochWhenTheStackIsUsedOften) {
  StackEncoder encoder(find_encoder("dacce-stack")->numbering({}, nullptr, 1000));
  auto& thread = enter(encoder, 'A', {});
  int pushes = 0;
  for (bool pushed = true; pushed && pushes < 10'000; ++pushes) {
    encoder.call(thread, edge("AB"));
    pushed = thread.frames.back().height != 0;
    encoder.ret(thread);
  }
  EXPECT_NEAR(pushes, 1 << 12, 2);
}

TEST(StackEncoder, RefusesATokenThatIsTruncatedOrOfAnEpochToCome) {
  graph::CallGraph graph;
  graph.add(entry_edge(letter('A')));
  EXPECT_FAULT(pcce(graph).decode(Token({1, 0, 0})), kMalformed, "pcce");
  const StackEncoder dacce(std::make_unique<DacceNumbering>());
  Token late;
  late.put(7, 4);
  late.put(letter('A'));
  late.put(0, 8);
  EXPECT_FAULT(dacce.decode(late), kMalformed, "dacce", "epoch 7");
}

}  // namespace
}  // namespace copse::encoders
