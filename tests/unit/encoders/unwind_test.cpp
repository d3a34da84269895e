// Frames that leave without running their exit code, and threads that end and start again.
#include <gtest/gtest.h>

#include "encoders/replay/registry.h"
#include "random_program.h"

namespace copse::encoders {
namespace {

class EveryEncoder : public testing::TestWithParam<EncoderInfo> {
 protected:
  std::unique_ptr<Encoder> make(const graph::CallGraph& graph) {
    EncoderConfig config;
    config.graph = graph;
    auto encoder = make_encoder(GetParam().name, config);
    EXPECT_TRUE(encoder.ok());
    return std::move(*encoder);
  }
};

TEST_P(EveryEncoder, UnwindOfKFramesEqualsKReturns) {
  TraceBuilder both;
  both.start(0, 1);
  for (const std::uint32_t frames : {1u, 2u, 5u, 9u}) {
    both.call(1, 1, 2);
    for (std::uint32_t i = 1; i < frames; ++i) both.call(2, 1 + i % 2, 2);
    both.ret(frames);
  }
  const graph::CallGraph graph = both.graph();
  for (const std::uint32_t frames : {1u, 2u, 5u, 9u}) {
    Token tokens[2];
    for (const bool unwinds : {false, true}) {
      const auto encoder = make(graph);
      TraceBuilder builder;
      builder.start(0, 1).call(1, 1, 2);
      for (std::uint32_t i = 1; i < frames; ++i) builder.call(2, 1 + i % 2, 2);
      if (unwinds) {
        builder.unwind(frames);
      } else {
        builder.ret(frames);
      }
      builder.call(1, 1, 2);
      replay(*encoder, builder.trace());
      encoder->token(ThreadIndex{0}, tokens[unwinds]);
    }
    EXPECT_EQ(tokens[0], tokens[1]) << frames << " frames";
  }
}

TEST_P(EveryEncoder, AThreadMayLeaveItsEntryAndEnterAnother) {
  if (!GetParam().claims_precision()) GTEST_SKIP() << "does not claim precision";
  TraceBuilder builder;
  builder.start(0, 1).call(1, 1, 2).ret(2).call(0, 0, 2).token().call(2, 1, 1).token();
  const auto encoder = make(builder.graph());
  const ReplayResult result = replay(*encoder, builder.trace());
  EXPECT_EQ(result.bad(), 0u) << result.first_failure;
}

TEST_P(EveryEncoder, AThreadThatEndedGivesItsStateBack) {
  TraceBuilder builder;
  builder.start(0, 1);
  const auto encoder = make(builder.graph());
  const std::uint64_t before = encoder->memory().live_bytes + encoder->memory().replay_bytes;
  encoder->start(ThreadIndex{0});
  encoder->call(ThreadIndex{0}, {}, MethodId{1});
  for (int i = 0; i < 10'000; ++i) {
    encoder->call(ThreadIndex{0}, {MethodId{1}, SiteOrdinal{1}}, MethodId{1});
  }
  const std::uint64_t running = encoder->memory().live_bytes + encoder->memory().replay_bytes;
  encoder->end(ThreadIndex{0});
  const std::uint64_t after = encoder->memory().live_bytes + encoder->memory().replay_bytes;
  EXPECT_GT(running, before + 10'000);
  EXPECT_LT(after, before + 1000);
}

INSTANTIATE_TEST_SUITE_P(, EveryEncoder,
                         testing::ValuesIn(all_encoders().begin(), all_encoders().end()),
                         [](const auto& encoder) {
                           std::string name(encoder.param.name);
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace copse::encoders
