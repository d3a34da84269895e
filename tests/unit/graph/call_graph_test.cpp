#include "graph/call_graph.h"

#include <gtest/gtest.h>

#include "encoders/scheme/path_numbering.h"
#include "letters.h"
#include "random_program.h"

namespace copse::encoders {
namespace {

TEST(CallGraph, AddingAnEdgeTwiceSumsItsCalls) {
  graph::CallGraph graph;
  EXPECT_TRUE(graph.add(edge("AB"), 3));
  EXPECT_FALSE(graph.add(edge("AB"), 4));
  ASSERT_EQ(graph.edges().size(), 1u);
  EXPECT_EQ(graph.edges()[0].calls, 7u);
  EXPECT_EQ(graph.find(edge("AB")), 0);
  EXPECT_EQ(graph.find(edge("AB", 2)), -1);
}

TEST(CallGraph, WithheldMethodsLoseAllTheirEdgesAndOthersStay) {
  graph::CallGraph graph;
  for (const EdgeKey e : {edge("AB"), edge("BC"), edge("AC", 2)}) graph.add(e);
  const graph::CallGraph rest = graph.without([](MethodId m) { return m == letter('B'); });
  ASSERT_EQ(rest.edges().size(), 1u);
  EXPECT_EQ(rest.edges()[0].key, edge("AC", 2));
  EXPECT_FALSE(rest.contains(letter('B')));
  EXPECT_TRUE(rest.contains(letter('C')));
}

TEST(CallGraph, WithoutBackEdgesEveryMethodHasAPlaceInTheOrder) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    ProgramShape shape;
    shape.recursion = 0.5;
    const RandomProgram program(seed, shape);
    const std::vector<bool> back = graph::find_back_edges(program.graph);
    const std::vector<MethodId> order = graph::topological_order(program.graph, back);
    ASSERT_EQ(order.size(), program.graph.method_limit()) << "seed " << seed;
    std::vector<std::size_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[raw(order[i])] = i;
    for (std::size_t e = 0; e < back.size(); ++e) {
      const EdgeKey key = program.graph.edges()[e].key;
      if (back[e]) continue;
      EXPECT_LT(place[raw(caller_of(key))], place[raw(callee_of(key))]) << "seed " << seed;
    }
  }
}

TEST(PathNumbering, TheHottestInEdgeAddsNothing) {
  graph::CallGraph graph;
  graph.add(entry_edge(letter('A')), 1);
  graph.add(edge("AB", 1), 10);
  graph.add(edge("AB", 2), 90);
  const PathNumbering numbering = number_paths(graph, {});
  EXPECT_EQ(numbering.addition[2], 0u);
  EXPECT_EQ(numbering.addition[1], 1u);
}

TEST(PathNumbering, PrunesTheColdestEdgeWhenCodesRunOut) {
  graph::CallGraph graph;
  graph.add(entry_edge(letter('A')), 1);
  graph.add(edge("AB", 1), 10);
  graph.add(edge("AB", 2), 1);
  graph.add(edge("AB", 3), 20);
  NumberingOptions options;
  options.max_paths = 2;
  const PathNumbering numbering = number_paths(graph, options);
  EXPECT_EQ(numbering.pruned, 1u);
  EXPECT_TRUE(numbering.cut[2]);
  EXPECT_EQ(numbering.paths[raw(letter('B'))], 2u);
}

TEST(CallGraphState, ComesBackInTheSameOrderWithMethodsThatHaveNoEdge) {
  const RandomProgram program(7, {});
  const graph::CallGraph graph = program.graph.without([](MethodId m) { return raw(m) % 2 == 0; });
  wire::StateWriter out;
  graph.save(out);
  wire::StateReader in(out.bytes(), 0);
  graph::CallGraph again;
  again.load(in);
  ASSERT_TRUE(in.ok() && in.at_end()) << in.status().message();
  ASSERT_EQ(again.edges().size(), graph.edges().size());
  for (std::size_t e = 0; e < graph.edges().size(); ++e) {
    EXPECT_EQ(again.edges()[e].key, graph.edges()[e].key);
    EXPECT_EQ(again.edges()[e].calls, graph.edges()[e].calls);
  }
  for (std::uint32_t m = 0; m < graph.method_limit() + 8; ++m) {
    EXPECT_EQ(again.contains(MethodId{m}), graph.contains(MethodId{m})) << m;
  }
}

}  // namespace
}  // namespace copse::encoders
