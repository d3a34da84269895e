// The two context trees and the uptree.
#include <gtest/gtest.h>

#include <set>

#include "encoders/replay/cct_exact.h"
#include "encoders/replay/cct_merged.h"
#include "encoders/replay/uptree.h"
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

TEST(Uptree, EqualContextsOfTwoActivationsAreTwoNodes) {
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
  for (const Token& token : tokens) EXPECT_EQ(decoded_letters(uptree, token), "ABC");
}

}  // namespace
}  // namespace copse::encoders
