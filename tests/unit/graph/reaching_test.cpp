#include "graph/reaching.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "letters.h"
#include "random_program.h"

namespace copse::encoders {
namespace {

graph::CallGraph graph_of(std::initializer_list<EdgeKey> edges) {
  graph::CallGraph graph;
  for (const EdgeKey e : edges) graph.add(e);
  return graph;
}

std::vector<MethodId> sorted(std::vector<MethodId> methods) {
  std::sort(methods.begin(), methods.end());
  return methods;
}

TEST(Reaching, TakesCallersOfCallersAndNobodyElse) {
  const graph::CallGraph graph =
      graph_of({entry_edge(letter('A')), edge("AB"), edge("BC"), edge("AD"), edge("CE")});
  graph::Reaching reaching(graph);
  EXPECT_EQ(sorted(reaching.add(letter('C'))),
            (std::vector{letter('A'), letter('B'), letter('C')}));
  EXPECT_FALSE(reaching.reaches(letter('D'))) << "leads elsewhere";
  EXPECT_FALSE(reaching.reaches(letter('E'))) << "is called from there";
  EXPECT_FALSE(reaching.reaches(kRootMethod));
}

TEST(Reaching, GoesRoundACycleOnce) {
  const graph::CallGraph graph = graph_of({edge("AB"), edge("BA"), edge("BB", 2), edge("BC")});
  graph::Reaching reaching(graph);
  EXPECT_EQ(sorted(reaching.add(letter('B'))), (std::vector{letter('A'), letter('B')}));
  EXPECT_FALSE(reaching.reaches(letter('C')));
}

TEST(Reaching, AnotherTargetAddsOnlyWhatIsNew) {
  const graph::CallGraph graph = graph_of({edge("AB"), edge("AC"), edge("DC")});
  graph::Reaching reaching(graph);
  reaching.add(letter('B'));
  EXPECT_EQ(sorted(reaching.add(letter('C'))), (std::vector{letter('C'), letter('D')}));
  EXPECT_TRUE(reaching.add(letter('A')).empty());
}

TEST(Reaching, DoesNotKnowMethodsThatTheGraphLacks) {
  const graph::CallGraph graph = graph_of({edge("AB")});
  EXPECT_FALSE(graph::Reaching(graph).reaches(MethodId{1'000'000}));
}

// By the definition: a path of edges leads from it to a target.
TEST(Reaching, AgreesWithASearchFromEveryMethod) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    ProgramShape shape;
    shape.recursion = 0.3;
    const RandomProgram program(seed, shape);
    const graph::CallGraph& graph = program.graph;
    const std::vector<MethodId> targets = {
        callee_of(graph.edges()[seed % graph.edges().size()].key),
        callee_of(graph.edges().back().key)};
    graph::Reaching reaching(graph);
    for (const MethodId target : targets) reaching.add(target);
    for (std::uint32_t start = 1; start < graph.method_limit(); ++start) {
      std::vector<MethodId> seen = {MethodId{start}};
      for (std::size_t i = 0; i < seen.size(); ++i) {
        for (const auto& e : graph.edges()) {
          const MethodId callee = callee_of(e.key);
          const bool is_next = caller_of(e.key) == seen[i] &&
                               std::find(seen.begin(), seen.end(), callee) == seen.end();
          if (is_next) seen.push_back(callee);
        }
      }
      const bool leads = std::any_of(targets.begin(), targets.end(), [&](MethodId target) {
        return std::find(seen.begin(), seen.end(), target) != seen.end();
      });
      EXPECT_EQ(reaching.reaches(MethodId{start}), leads) << "seed " << seed << " from " << start;
    }
  }
}

}  // namespace
}  // namespace copse::encoders
