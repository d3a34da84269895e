// The two context trees and the uptree.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "encoders/cct_exact.h"
#include "encoders/cct_merged.h"
#include "encoders/uptree.h"
#include "letters.h"
#include "random_program.h"

namespace copse::encoders {
namespace {

TEST(ExactCct, HasOneNodePerDistinctContext) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    ProgramShape shape;
    shape.threads = 2;
    const RandomProgram program(seed, shape);
    ExactCctEncoder cct;
    std::set<CallPath> contexts;
    std::vector<CallPath> stacks(2);
    for (const TraceEvent& event : program.trace) {
      auto& thread = cct.thread(event.thread);
      CallPath& stack = stacks[raw(event.thread)];
      if (event.kind == TraceEvent::Kind::kCall) {
        cct.call(thread, event.edge);
        stack.push_back(event.edge);
        contexts.insert(stack);
      } else if (event.kind == TraceEvent::Kind::kReturn) {
        cct.ret(thread);
        stack.pop_back();
      } else if (event.kind == TraceEvent::Kind::kUnwind) {
        cct.unwind(thread, event.frames);
        stack.resize(stack.size() - event.frames);
      }
    }
    EXPECT_EQ(cct.node_count(), contexts.size() + 1) << "seed " << seed;
  }
}

TEST(MergedCct, MergesRecursionToTheFirstActivation) {
  MergedCctEncoder cct;
  auto& thread = enter(cct, 'A', {edge("AB"), edge("BC"), edge("CB", 2), edge("BD", 3)});
  EXPECT_EQ(decoded_letters(cct, token_of(cct, thread)), "ABD");
  EXPECT_EQ(cct.node_count(), 5u);  // ROOT A B C D
}

TEST(MergedCct, ReturnsFromARecursiveCallToTheCallersNode) {
  MergedCctEncoder cct;
  auto& thread = enter(cct, 'A', {edge("AB"), edge("BC"), edge("CB", 2)});
  cct.ret(thread);
  EXPECT_EQ(decoded_letters(cct, token_of(cct, thread)), "ABC");
}

TEST(MergedCct, IsNotPreciseUnderRecursion) {
  std::uint64_t merged = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const RandomProgram program(seed, {});
    const auto encoder = adapt<MergedCctEncoder>();
    CallPath truth;
    for (const TraceEvent& event : program.trace) {
      if (event.kind == TraceEvent::Kind::kCall) {
        truth.push_back(event.edge);
        merged += merge_recursion(truth) != truth;
      } else if (event.kind == TraceEvent::Kind::kReturn) {
        truth.pop_back();
      } else if (event.kind == TraceEvent::Kind::kUnwind) {
        truth.resize(truth.size() - event.frames);
      }
    }
  }
  EXPECT_GT(merged, 0u);
}

TEST(Uptree, MakesNodesOnlyForContextsWithEvents) {
  UptreeEncoder uptree;
  auto& thread = enter(uptree, 'A', {edge("AB"), edge("BC")});
  EXPECT_EQ(uptree.node_count(), 1u);
  token_of(uptree, thread);
  EXPECT_EQ(uptree.node_count(), 4u);
  token_of(uptree, thread);
  EXPECT_EQ(uptree.node_count(), 4u);
}

TEST(Uptree, EqualContextsOfTwoActivationsMergeWhenCollected) {
  UptreeEncoder uptree;
  auto& thread = enter(uptree, 'A', {edge("AB")});
  std::vector<Token> tokens;
  for (int i = 0; i < 2; ++i) {
    uptree.call(thread, edge("BC"));
    tokens.push_back(token_of(uptree, thread));
    uptree.ret(thread);
  }
  EXPECT_NE(tokens[0], tokens[1]);
  EXPECT_EQ(uptree.node_count(), 5u);
  uptree.collect(tokens);
  EXPECT_EQ(tokens[0], tokens[1]);
  EXPECT_EQ(uptree.node_count(), 4u);
  EXPECT_EQ(decoded_letters(uptree, tokens[0]), "ABC");
}

// 100 random runs; every 50 events 70 % of the tokens survive a collection.
TEST(Uptree, SurvivingTokensDecodeAfterEveryCollection) {
  std::uint64_t made = 0, live = 0, contexts = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    ProgramShape shape;
    shape.events = 400;
    const RandomProgram program(seed, shape);
    std::mt19937_64 random(seed);
    EncoderAdapter<UptreeEncoder> uptree([] { return UptreeEncoder(); });
    EncoderAdapter<ExactCctEncoder> cct([] { return ExactCctEncoder(); });
    std::vector<Token> tokens;
    std::vector<CallPath> truths;
    CallPath stack;
    std::size_t count = 0;
    for (const TraceEvent& event : program.trace) {
      switch (event.kind) {
        case TraceEvent::Kind::kCall:
          uptree.call(event.thread, site_of(event.edge), callee_of(event.edge));
          cct.call(event.thread, site_of(event.edge), callee_of(event.edge));
          stack.push_back(event.edge);
          break;
        case TraceEvent::Kind::kReturn:
          uptree.ret(event.thread);
          cct.ret(event.thread);
          stack.pop_back();
          break;
        case TraceEvent::Kind::kUnwind:
          uptree.unwind(event.thread, event.frames);
          cct.unwind(event.thread, event.frames);
          stack.resize(stack.size() - event.frames);
          break;
        case TraceEvent::Kind::kToken:
          tokens.emplace_back();
          uptree.token(event.thread, tokens.back());
          truths.push_back(stack);
          break;
        default:
          break;
      }
      if (++count % 50 != 0) continue;
      std::vector<Token> kept;
      std::vector<CallPath> kept_truths;
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (random() % 10 < 3) continue;
        kept.push_back(tokens[i]);
        kept_truths.push_back(truths[i]);
      }
      uptree.collect(kept);
      tokens = std::move(kept);
      truths = std::move(kept_truths);
    }
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Result<CallPath> path = uptree.decode(tokens[i]);
      ASSERT_TRUE(path.ok()) << "seed " << seed;
      EXPECT_EQ(*path, truths[i]) << "seed " << seed;
    }
    made += uptree.get().nodes_made();
    live += uptree.get().node_count();
    contexts += cct.get().node_count();
  }
  EXPECT_LT(live, contexts);
  EXPECT_LT(contexts, made);
}

}  // namespace
}  // namespace copse::encoders
