#include "encoders/study/call_spans.h"

#include <gtest/gtest.h>

#include "support/op_streams.h"

namespace copse::study {
namespace {

using encoders::TraceBuilder;

TEST(CallSpans, TakingOutACallTakesAllBelowItAndItsReturn) {
  const auto ops = ops_of(
      TraceBuilder().start(0, 1).call(1, 1, 2).call(2, 1, 3).ret(2).call(1, 2, 4).token().trace());
  const CallSpans spans(ops);
  ASSERT_EQ(spans.calls().size(), 4u);
  EXPECT_EQ(spans.without({false, true, false, false}),
            ops_of(TraceBuilder().start(0, 1).call(1, 2, 4).token().trace()));
}

TEST(CallSpans, AnUnwindEndsFewerFramesWhenSomeOfThemAreTakenOut) {
  const auto ops = ops_of(TraceBuilder()
                              .start(0, 1)
                              .call(1, 1, 2)
                              .call(2, 1, 3)
                              .call(3, 1, 4)
                              .unwind(3)
                              .token()
                              .trace());
  EXPECT_EQ(CallSpans(ops).without({false, false, true, false}),
            ops_of(TraceBuilder().start(0, 1).call(1, 1, 2).unwind(1).token().trace()));
}

TEST(CallSpans, AThreadWithNeitherCallNorMarkIsGoneAltogether) {
  const auto ops =
      ops_of(TraceBuilder().start(0, 1).start(1, 2).call(2, 1, 3).on(0).token().trace());
  const CallSpans spans(ops);
  EXPECT_EQ(spans.life_count(), 2u);
  EXPECT_EQ(spans.without({false, true, false}),
            ops_of(TraceBuilder().start(0, 1).token().trace()));
}

TEST(CallSpans, ABodyOfADeeperCallReplacesThatOfTheOutermost) {
  const auto ops = ops_of(TraceBuilder()
                              .start(0, 1)
                              .call(1, 1, 2)
                              .call(2, 1, 3)
                              .call(3, 1, 2)
                              .call(2, 2, 4)
                              .token()
                              .trace());
  const CallSpans spans(ops);
  EXPECT_TRUE(spans.below(3, 1));
  EXPECT_FALSE(spans.below(1, 3));
  EXPECT_EQ(spans.with_body_of(1, 3),
            ops_of(TraceBuilder().start(0, 1).call(1, 1, 2).call(2, 2, 4).token().trace()));
}

TEST(CallSpans, CalleesOfAFrameTakenOutAreCalledByItsCaller) {
  const auto ops =
      ops_of(TraceBuilder().start(0, 1).call(1, 1, 2).call(2, 3, 4).ret(2).token().trace());
  EXPECT_EQ(CallSpans(ops).without_frame(1),
            ops_of(TraceBuilder().start(0, 1).call(1, 3, 4).ret().token().trace()));
  EXPECT_EQ(CallSpans(ops).without_frame(0),
            ops_of(TraceBuilder().start(0, 2).call(2, 3, 4).ret(2).token().trace()));
}

TEST(CallSpans, WhateverIsTakenOutLeavesALegalHistory) {
  encoders::ProgramShape shape;
  shape.threads = 2;
  shape.unwinds = 0.2;
  shape.recursion = 0.6;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<Op> ops = ops_of(encoders::RandomProgram(seed, shape).trace);
    const CallSpans spans(ops);
    const auto count = static_cast<std::uint32_t>(spans.calls().size());
    for (std::uint32_t call = 0; call < count; ++call) {
      std::vector<bool> removed(count);
      removed[call] = true;
      OpSource without(spans.without(removed));
      EXPECT_TRUE(all_ops(without).ok()) << "seed " << seed << ", call " << call;
      OpSource spliced(spans.without_frame(call));
      EXPECT_TRUE(all_ops(spliced).ok()) << "seed " << seed << ", call " << call;
      for (std::uint32_t outer = 0; outer < call; ++outer) {
        if (spans.callee(outer) != spans.callee(call) || !spans.below(call, outer)) continue;
        OpSource merged(spans.with_body_of(outer, call));
        EXPECT_TRUE(all_ops(merged).ok()) << "seed " << seed << ", " << outer << " by " << call;
      }
    }
  }
}

}  // namespace
}  // namespace copse::study
