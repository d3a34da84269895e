#include "graph/graph_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graph/graph_edges.h"
#include "support/numbering_samples.h"

namespace copse::graph {
namespace {

using test::edge;

MethodName method(const std::string& name, std::vector<SiteName> sites = {}) {
  return {"A", name, "()V", "A.java", "app", std::move(sites)};
}

// A graph's main (1), which calls at bytecodes 3 and 9, and work (2).
const std::vector<MethodName> kGraph = {{}, method("main", {{3, -1}, {9, -1}}), method("work")};

// A run whose methods are numbered otherwise, with a second main and a method that is new.
class MatchedNamesTest : public testing::Test {
 protected:
  RunNames run() {
    return {[this](MethodId id) { return methods_[raw(id)]; },
            [this](MethodId caller, SiteOrdinal site) {
              return methods_[raw(caller)].sites[raw(site) - 1u].bci;
            }};
  }
  const std::vector<MethodName> methods_ = {{},
                                            method("work"),
                                            method("main", {{9, 1}, {3, 1}, {12, 1}, {9, 2}}),
                                            method("main", {{3, 1}}),
                                            method("new")};
  MatchedNames names_{NameIndex::of(kGraph), run()};
};

TEST_F(MatchedNamesTest, FindsMethodsByNameAndCallSitesByBytecodeIndex) {
  EXPECT_EQ(names_.method(MethodId{1}), MethodId{2});
  EXPECT_EQ(names_.method(MethodId{2}), MethodId{1});
  EXPECT_EQ(names_.method(MethodId{4}), std::nullopt);
  EXPECT_EQ(names_.site(MethodId{2}, SiteOrdinal{1}), SiteOrdinal{2});
  EXPECT_EQ(names_.site(MethodId{2}, SiteOrdinal{2}), SiteOrdinal{1});
  EXPECT_EQ(names_.site(MethodId{2}, SiteOrdinal{3}), std::nullopt);
}

TEST_F(MatchedNamesTest, NoTwoOfARunBecomeTheSame) {
  EXPECT_EQ(names_.method(MethodId{3}), MethodId{1}) << "the first that is asked for";
  EXPECT_EQ(names_.method(MethodId{2}), std::nullopt);
  EXPECT_EQ(names_.site(MethodId{2}, SiteOrdinal{1}), std::nullopt);
  EXPECT_EQ(names_.method(MethodId{3}), MethodId{1}) << "and it stays";
}

TEST_F(MatchedNamesTest, NoTwoCallSitesOfAMethodBecomeTheSame) {
  EXPECT_EQ(names_.site(MethodId{2}, SiteOrdinal{4}), SiteOrdinal{2});
  EXPECT_EQ(names_.site(MethodId{2}, SiteOrdinal{1}), std::nullopt);
  EXPECT_EQ(names_.site(MethodId{2}, SiteOrdinal{4}), SiteOrdinal{2});
}

TEST_F(MatchedNamesTest, LeadFromARunsCallsToTheGraphsEdges) {
  CallGraph graph;
  graph.add(edge(0, 0, 1));
  graph.add(edge(1, 2, 2));
  GraphEdges edges(std::move(graph), std::make_unique<MatchedNames>(NameIndex::of(kGraph), run()));
  EXPECT_EQ(edges.index(edge(0, 0, 2)), 0u);
  EXPECT_EQ(edges.index(edge(2, 1, 1)), 1u);
  EXPECT_EQ(edges.index(edge(2, 2, 1)), std::nullopt) << "a call site without such a callee";
  EXPECT_EQ(edges.index(edge(2, 1, 4)), std::nullopt) << "a method that the graph has not";
  EXPECT_EQ(edges.index(edge(2, 0, 1)), std::nullopt) << "a call without call site";
  EXPECT_EQ(edges.use().edges, 5u);
  EXPECT_EQ(edges.use().known, 2u);
}

}  // namespace
}  // namespace copse::graph
