#include "encoders/study/shrinker.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "encoders/study/call_spans.h"
#include "support/expect_fault.h"
#include "support/study_cases.h"

namespace copse::study {
namespace {

Counterexample shrunk(const std::vector<Op>& ops, std::string_view scheme,
                      const ConfigOptions& options) {
  const Studied studied = study(ops, scheme, options);
  EXPECT_TRUE(studied.row.failure.has_value()) << scheme;
  if (!studied.row.failure) return {};
  OpSource source(ops);
  OpStream stream(source);
  const SchemeConfig config(options, source.methods());
  Result<Counterexample> found = shrink_failure(stream, studied.survey, studied.row, config);
  EXPECT_TRUE(found.ok()) << found.message();
  return found.ok() ? *found : Counterexample{};
}

void expect_minimal(const Counterexample& found, std::string_view scheme,
                    const ConfigOptions& options, const std::string& where) {
  const encoders::EncoderInfo& info = *encoders::find_encoder(scheme);
  const SchemeConfig config(options, {});
  EXPECT_FALSE(found.keeps_graph) << where;
  EXPECT_TRUE(found.minimal) << where;
  EXPECT_EQ(failure_of(found.ops, info, config), found.what) << where;
  EXPECT_FALSE(found.what.empty()) << where;
  const auto is_mark = [](const Op& op) { return op.kind == OpKind::kMark; };
  EXPECT_EQ(std::count_if(found.ops.begin(), found.ops.end(), is_mark), 1) << where;
  const CallSpans spans(found.ops);
  for (std::size_t call = 0; call < spans.calls().size(); ++call) {
    std::vector<bool> removed(spans.calls().size());
    removed[call] = true;
    EXPECT_EQ(failure_of(spans.without(removed), info, config), "") << where << ", call " << call;
    const std::vector<Op> spliced = spans.without_frame(static_cast<std::uint32_t>(call));
    EXPECT_EQ(failure_of(spliced, info, config), "") << where << ", frame " << call;
  }
  // It fails on its own, through the same check that found it.
  const EncoderCheck again = study(found.ops, scheme, options).row;
  EXPECT_GT(again.wrong + again.undecodable, 0u) << where;
}

TEST(Shrinker, LeavesNothingToTakeOutOfTheKnownCounterexamples) {
  for (const StudiedCase& c : counterexamples()) {
    const Counterexample found = shrunk(c.ops, c.scheme, c.config);
    expect_minimal(found, c.scheme, c.config, c.scheme);
    EXPECT_LE(found.ops.size(), c.ops.size()) << c.scheme;
  }
}

TEST(Shrinker, LeavesNothingToTakeOutOfRandomPrograms) {
  encoders::ProgramShape shape;
  shape.threads = 3;
  shape.events = 600;
  shape.recursion = 0.4;
  // Luce's ids pass 64 bits after some 60 recursive calls.
  for (const auto& [scheme, most_calls] : {std::pair{"luce-literal", 80u},
                                           {"luce-no-caller-bump", 12u},
                                           {"pcce-no-dummy-edge", 12u}}) {
    std::uint64_t found_any = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const std::vector<Op> ops = ops_of(encoders::RandomProgram(seed, shape).trace);
      if (!study(ops, scheme).row.failure) continue;
      ++found_any;
      const Counterexample found = shrunk(ops, scheme, {});
      expect_minimal(found, scheme, {}, std::string(scheme) + ", seed " + std::to_string(seed));
      EXPECT_LE(found.calls, most_calls) << scheme << ", seed " << seed;
    }
    EXPECT_GT(found_any, 0u) << scheme;
  }
}

// 71 recursive calls are needed until the code wraps; the 200 made are more than that.
TEST(Shrinker, MergesRecursionThatIsDeeperThanNeeded) {
  encoders::TraceBuilder builder;
  builder.start(0, 1).call(1, 1, 2);
  for (std::uint32_t i = 0; i < 200; ++i) builder.call(2, 1 + i % 2, 2);
  const Counterexample found = shrunk(ops_of(builder.token().trace()), "rcce-minus", {});
  expect_minimal(found, "rcce-minus", {}, "rcce-minus");
  EXPECT_LT(found.calls, 80u);
}

// 2 is entered by a back edge only behind the failing token; without that there is no restart.
TEST(Shrinker, KeepsCallsBehindTheTokenThatTheGraphNeeds) {
  encoders::ProgramShape shape;
  shape.events = 600;
  shape.recursion = 0.4;
  shape.threads = 3;
  const std::vector<Op> ops = ops_of(encoders::RandomProgram(7, shape).trace);
  const Counterexample found = shrunk(ops, "pcce-no-dummy-edge", {});
  EXPECT_EQ(found.ops.back().kind, OpKind::kCall);
  expect_minimal(found, "pcce-no-dummy-edge", {}, "pcce-no-dummy-edge");
}

TEST(Shrinker, KeepsTheGraphOfTheStreamWhereThatIsTooLongToShrink) {
  encoders::ProgramShape shape;
  shape.events = 600;
  shape.recursion = 0.4;
  shape.threads = 3;
  const std::vector<Op> ops = ops_of(encoders::RandomProgram(7, shape).trace);
  const Studied studied = study(ops, "pcce-no-dummy-edge");
  ASSERT_TRUE(studied.row.failure.has_value());
  OpSource source(ops);
  OpStream stream(source);
  ShrinkOptions options;
  options.most_prefix = studied.row.failure->found_at;
  const SchemeConfig config({}, source.methods());
  const auto found = shrink_failure(stream, studied.survey, studied.row, config, options);
  ASSERT_TRUE(found.ok()) << found.message();
  EXPECT_TRUE(found->keeps_graph);
  EXPECT_EQ(failure_of(found->ops, *studied.row.info, config), "");
  EXPECT_NE(failure_of(found->ops, *studied.row.info, config.with_graph(studied.survey.graph)), "");
}

TEST(Shrinker, RefusesAPrefixThatIsTooLong) {
  const StudiedCase c = counterexamples().front();
  const Studied studied = study(c.ops, c.scheme);
  OpSource source(c.ops);
  OpStream stream(source);
  ShrinkOptions options;
  options.most_prefix = 1;
  const auto found = shrink_failure(stream, studied.survey, studied.row,
                                    SchemeConfig({}, source.methods()), options);
  ASSERT_FALSE(found.ok());
  EXPECT_FAULT(found, kLimit, "luce-literal", "12 operations", " 1 ");
}

TEST(Shrinker, StopsWhenItsEffortIsSpent) {
  const StudiedCase c = counterexamples().back();
  const Studied studied = study(c.ops, c.scheme, c.config);
  OpSource source(c.ops);
  OpStream stream(source);
  ShrinkOptions options;
  options.effort = 120;
  const SchemeConfig config(c.config, source.methods());
  const auto found = shrink_failure(stream, studied.survey, studied.row, config, options);
  ASSERT_TRUE(found.ok());
  EXPECT_FALSE(found->minimal);
  EXPECT_NE(failure_of(found->ops, *studied.row.info, config), "");
}

}  // namespace
}  // namespace copse::study
