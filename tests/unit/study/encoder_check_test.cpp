#include "encoders/study/encoder_check.h"

#include <gtest/gtest.h>

#include <set>

#include "encoders/study/comparison.h"
#include "support/study_cases.h"

namespace copse::study {
namespace {

using encoders::TraceBuilder;

TEST(EncoderCheck, FindsTheFailureOfEachOtherFormAndNoneOfItsRepair) {
  std::set<std::string> shown;
  for (const StudiedCase& c : counterexamples()) {
    const EncoderCheck literal = study(c.ops, c.scheme, c.config).row;
    EXPECT_GT(literal.wrong + literal.undecodable, 0u) << c.scheme;
    EXPECT_TRUE(literal.failure.has_value()) << c.scheme;
    EXPECT_TRUE(literal.holds()) << c.scheme << " claims nothing";
    const EncoderCheck repaired = study(c.ops, c.repaired, c.config).row;
    EXPECT_EQ(repaired.wrong + repaired.undecodable + repaired.collisions, 0u) << c.repaired;
    EXPECT_EQ(repaired.decoded, repaired.tokens) << c.repaired;
    shown.insert(c.scheme);
  }
  for (const encoders::EncoderInfo& info : encoders::all_encoders()) {
    EXPECT_EQ(shown.contains(std::string(info.name)), info.form != encoders::Form::kOurs)
        << info.name;
  }
}

TEST(EncoderCheck, SaysWhereATokenIsWrongAndWhatItShouldBe) {
  const auto ops = ops_of(TraceBuilder().start(0, 1).call(1, 1, 2).call(2, 1, 2).token().trace());
  const EncoderCheck row = study(ops, "pcce-no-dummy-edge").row;
  ASSERT_TRUE(row.failure.has_value());
  EXPECT_EQ(row.failure->sample.position, 4u);
  EXPECT_TRUE(row.failure->at_once());
  EXPECT_EQ(row.failure->what.find("expected [1 1:1>2 2:1>2], got "), 0u) << row.failure->what;
}

TEST(EncoderCheck, TellsALongContextByItsInnermostFramesInTheWordsAskedFor) {
  TraceBuilder builder;
  builder.start(0, 1).call(1, 1, 2);
  for (int depth = 0; depth < 20; ++depth) builder.call(2, 1, 2);
  SampleOptions marks_only;
  marks_only.every = 1000;
  CheckOptions options;
  options.context_text = [](const CallPath& path) {
    return std::to_string(path.size()) + " calls";
  };
  const auto ops = ops_of(builder.token().trace());
  const EncoderCheck row = study(ops, "pcce-no-dummy-edge", {}, marks_only, options).row;
  ASSERT_TRUE(row.failure.has_value());
  EXPECT_EQ(row.failure->what.find("expected ... 4 calls (22 frames), got "), 0u)
      << row.failure->what;
}

// A search for a context goes 4,096 frames deep.
TEST(EncoderCheck, TellsTokensGivenUpAtALimitFromOthersThatDoNotDecode) {
  TraceBuilder builder;
  builder.start(0, 1);
  for (int depth = 0; depth < 5000; ++depth) builder.call(1, 1, 1);
  SampleOptions marks_only;
  marks_only.every = 100'000;
  const auto ops = ops_of(builder.token().trace());
  const EncoderCheck search = study(ops, "breadcrumbs", {}, marks_only).row;
  EXPECT_EQ(search.tokens, 1u);
  EXPECT_EQ(search.undecodable, 1u);
  EXPECT_EQ(search.given_up, 1u);
  ASSERT_TRUE(search.failure.has_value());
  EXPECT_LT(search.failure->what.size(), 400u) << "without the thousands of frames it is sure of";
  EXPECT_TRUE(search.holds()) << "a search may give up";
  EncoderCheck wrong = search;
  wrong.wrong = 1;
  EXPECT_FALSE(wrong.holds()) << "but may not be wrong";
  const auto restart =
      ops_of(TraceBuilder().start(0, 1).call(1, 1, 2).call(2, 1, 2).token().trace());
  const EncoderCheck other = study(restart, "pcce-no-dummy-edge").row;
  EXPECT_GT(other.undecodable, 0u);
  EXPECT_EQ(other.given_up, 0u);
}

TEST(EncoderCheck, HasNoShareOfTokensRightWithoutTokens) {
  const auto ops = ops_of(TraceBuilder().start(0, 1).trace());
  SampleOptions none;
  none.every = 1000;
  const EncoderCheck row = study(ops, "cct", {}, none).row;
  EXPECT_EQ(row.tokens, 0u);
  EXPECT_FALSE(precision_of(row).has_value());
  EXPECT_EQ(precision_of(study(ops, "cct").row), 1.0);
}

TEST(EncoderCheck, FindsFailuresThatShowOnlyAtTheEnd) {
  unsigned studied = 0;
  for (const StudiedCase& c : counterexamples()) {
    if (c.scheme != "luce-no-caller-bump") continue;
    ++studied;
    SampleOptions marks_only;
    marks_only.every = 1000;
    const EncoderCheck row = study(c.ops, c.scheme, c.config, marks_only).row;
    ASSERT_TRUE(row.failure.has_value());
    EXPECT_EQ(row.tokens, 1u);
    EXPECT_FALSE(row.failure->at_once());
    EXPECT_EQ(row.failure->found_at, c.ops.size());
  }
  EXPECT_GT(studied, 0u);
}

// A thread may be at ROOT at a mark, and enter again.
TEST(EncoderCheck, TakesTokensAtRootAndAfterIt) {
  const auto ops = ops_of(
      TraceBuilder().start(0, 1).ret().token().call(0, 0, 2).token().call(2, 1, 2).token().trace());
  for (const encoders::EncoderInfo& info : encoders::all_encoders()) {
    const EncoderCheck row = study(ops, info.name).row;
    EXPECT_EQ(row.tokens, 6u) << info.name;
    EXPECT_TRUE(row.holds()) << info.name << ": " << (row.failure ? row.failure->what : "");
  }
}

TEST(EncoderCheck, CountsTokensAndTheirBytesAsTheyAre) {
  const auto ops = ops_of(TraceBuilder().start(0, 1).call(1, 1, 2).call(2, 1, 3).token().trace());
  SampleOptions marks_only;
  marks_only.every = 2;  // the second call, and the mark at depth 3
  const EncoderCheck walk = study(ops, "walk", {}, marks_only).row;
  EXPECT_EQ(walk.tokens, 2u);
  EXPECT_EQ(walk.decoded, 2u);
  EXPECT_EQ(walk.token_bytes, 8u * (2 + 3));
  EXPECT_EQ(walk.longest_token, 24u);
  EXPECT_EQ(walk.contexts, 2u);
  const EncoderCheck hash = study(ops, "pcc64", {}, marks_only).row;
  EXPECT_EQ(hash.token_bytes, 16u);
  EXPECT_EQ(hash.decoded + hash.wrong + hash.undecodable, 0u) << "hashes are not decoded";
}

TEST(EncoderCheck, CountsDifferentContextsWithEqualTokensAsCollisions) {
  // A restart has the code of the method's first context.
  const auto ops = ops_of(TraceBuilder().start(0, 1).call(1, 1, 2).call(2, 1, 2).trace());
  EXPECT_EQ(study(ops, "pcce").row.collisions, 0u);
  // Contexts that differ in recursion only are one to the merged tree, by design.
  const EncoderCheck merged = study(ops, "cct-merged").row;
  EXPECT_EQ(merged.contexts, 2u);
  EXPECT_EQ(merged.collisions, 0u);
}

TEST(EncoderCheck, GivesTheMeanAndTheMaximumOfEntriesOnTheStack) {
  TraceBuilder builder;
  builder.start(0, 1).call(1, 1, 2);
  for (int depth = 0; depth < 4; ++depth) builder.call(2, 1, 2);
  const auto ops = ops_of(builder.trace());
  for (const char* scheme : {"pcce-stack", "pcce-literal"}) {
    const EncoderCheck row = study(ops, scheme).row;
    ASSERT_TRUE(row.stack.has_value()) << scheme;
    EXPECT_EQ(row.tokens, 6u);
    EXPECT_FALSE(row.stack->has_unexpected);
    EXPECT_EQ(row.stack->entries, 1u + 2 + 3 + 4) << scheme;
    EXPECT_EQ(row.stack->most_entries, 4u) << scheme;
  }
  EXPECT_EQ(study(ops, "rcce-literal").row.stack->most_entries, 0u);
  EXPECT_FALSE(study(ops, "cct").row.stack.has_value());
}

TEST(EncoderCheck, SaysOfAHashHowManyCollisionsChanceGives) {
  const auto ops = ops_of(TraceBuilder().start(0, 1).call(1, 1, 2).trace());
  EXPECT_NEAR(chance_collisions(study(ops, "pcc32").row).value(), 1 / 4294967296.0, 1e-14);
  EXPECT_FALSE(chance_collisions(study(ops, "cct").row).has_value());
}

TEST(EncoderCheck, DecodesTokensBeyondTheBoundAtOnceOnly) {
  TraceBuilder builder;
  builder.start(0, 1);
  for (std::uint32_t i = 1; i < 10; ++i) builder.call(i, 1, i + 1);
  CheckOptions options;
  options.kept_token_bytes = 100;
  const EncoderCheck row = study(ops_of(builder.trace()), "walk", {}, {}, options).row;
  EXPECT_EQ(row.tokens, 10u);
  EXPECT_EQ(row.decoded, 10u);
  EXPECT_EQ(row.not_kept, 6u) << "8, 16, 24, 32 bytes fit";
  EXPECT_EQ(row.contexts, 4u);
}

TEST(EncoderCheck, StopsAnEncoderThatHoldsTooMuch) {
  TraceBuilder builder;
  builder.start(0, 1);
  for (std::uint32_t i = 1; i < 1000; ++i) builder.call(i, 1, i + 1);
  CheckOptions options;
  options.most_bytes = 1000;
  const EncoderCheck row = study(ops_of(builder.trace()), "cct", {}, {}, options).row;
  EXPECT_EQ(row.stopped_at, 1001u);
  EXPECT_GT(row.peak_bytes, 1000u);
}

TEST(EncoderCheck, MeasuresMemoryAtEveryGrowthPoint) {
  encoders::ProgramShape shape;
  shape.events = 2000;
  const std::vector<Op> ops = ops_of(encoders::RandomProgram(3, shape).trace);
  const Studied studied = study(ops, "cct");
  ASSERT_EQ(studied.row.growth.size(), studied.survey.growth.size());
  for (std::size_t i = 0; i < studied.row.growth.size(); ++i) {
    EXPECT_EQ(studied.row.growth[i].position, studied.survey.growth[i].position);
    EXPECT_GE(studied.row.growth[i].use.resident_bytes, 16 * studied.survey.growth[i].contexts);
    EXPECT_LE(studied.row.growth[i].use.total() - studied.row.growth[i].use.replay_bytes,
              studied.row.peak_bytes);
  }
  EXPECT_EQ(studied.row.threads_at_peak, 1u);
}

}  // namespace
}  // namespace copse::study
