// The survey's figures against a count that keeps every context as a path of its own.
#include "encoders/study/survey.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/op_streams.h"

namespace copse::study {
namespace {

struct Count {
  std::uint64_t calls = 0;
  std::uint64_t depths = 0;
  std::uint64_t deepest = 0;
  std::set<CallPath> contexts;
  std::set<std::uint32_t> methods;
  std::map<std::uint64_t, CallPath> at;  // the context after each operation
};

Count count(const std::vector<Op>& ops) {
  Count result;
  std::map<std::uint32_t, CallPath> stacks;
  std::uint64_t position = 0;
  for (const Op& op : ops) {
    CallPath& stack = stacks[op.slot];
    if (op.kind == OpKind::kCall) {
      stack.push_back(op.edge());
      ++result.calls;
      result.depths += stack.size();
      result.deepest = std::max<std::uint64_t>(result.deepest, stack.size());
      result.contexts.insert(stack);
      result.methods.insert(raw(callee_of(op.edge())));
    } else if (op.kind == OpKind::kReturn || op.kind == OpKind::kUnwind) {
      stack.resize(stack.size() - op.frames());
    }
    result.at[++position] = stack;
  }
  return result;
}

TEST(Survey, FiguresEqualAnIndependentCount) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    encoders::ProgramShape shape;
    shape.threads = 3;
    shape.several_entries = true;
    shape.events = 400;
    const std::vector<Op> ops = ops_of(encoders::RandomProgram(seed, shape).trace);
    const Count truth = count(ops);
    OpSource source(ops);
    OpStream stream(source);
    SampleOptions options;
    options.random_count = 50;
    const Result<Survey> survey = survey_stream(stream, options);
    ASSERT_TRUE(survey.ok()) << survey.message();
    EXPECT_EQ(survey->operations, ops.size()) << "seed " << seed;
    EXPECT_EQ(survey->calls, truth.calls) << "seed " << seed;
    EXPECT_EQ(survey->contexts(), truth.contexts.size()) << "seed " << seed;
    EXPECT_EQ(survey->methods, truth.methods.size()) << "seed " << seed;
    EXPECT_EQ(survey->max_depth, truth.deepest) << "seed " << seed;
    EXPECT_EQ(survey->threads, 3u);
    EXPECT_EQ(survey->most_live_threads, 3u);
    EXPECT_EQ(survey->truth_mismatches, 0u) << "seed " << seed;
    EXPECT_DOUBLE_EQ(survey->mean_depth,
                     static_cast<double>(truth.depths) / static_cast<double>(truth.calls));
    std::uint64_t profile = 0;
    for (const auto& edge : survey->graph.edges()) profile += edge.calls;
    EXPECT_EQ(profile, truth.calls) << "seed " << seed;
    EXPECT_GE(survey->samples.size(), truth.calls);
    for (const Sample& sample : survey->samples) {
      EXPECT_EQ(*survey->tree.path(sample.node), truth.at.at(sample.position)) << "seed " << seed;
    }
    EXPECT_EQ(survey->growth.back().position, ops.size());
    EXPECT_EQ(survey->growth.back().contexts, truth.contexts.size());
  }
}

// As in a report of the same run: the JVM starts threads of its own, which no recorded call is on.
TEST(Survey, CountsThreadsThatMadeACall) {
  const EdgeKey entry = edge_key({kNoMethod, kNoSite}, MethodId{1});
  const std::vector<Op> ops = {{OpKind::kStart, 0}, {OpKind::kStart, 1},     {OpKind::kStart, 2},
                               call_op(1, entry),   {OpKind::kReturn, 1, 1}, {OpKind::kEnd, 1},
                               {OpKind::kStart, 1}, {OpKind::kMark, 1},      {OpKind::kEnd, 1},
                               call_op(0, entry),   {OpKind::kReturn, 0, 1}, call_op(0, entry),
                               {OpKind::kEnd, 2}};
  OpSource source(ops);
  OpStream stream(source);
  const Result<Survey> survey = survey_stream(stream, {});
  ASSERT_TRUE(survey.ok()) << survey.message();
  EXPECT_EQ(survey->threads, 2u);
  EXPECT_EQ(survey->most_live_threads, 1u);
}

TEST(Survey, OfAnEmptyStreamIsEmpty) {
  OpSource source({});
  OpStream stream(source);
  const Result<Survey> survey = survey_stream(stream, {});
  ASSERT_TRUE(survey.ok());
  EXPECT_EQ(survey->calls, 0u);
  EXPECT_EQ(survey->contexts(), 0u);
  EXPECT_TRUE(survey->samples.empty());
}

}  // namespace
}  // namespace copse::study
