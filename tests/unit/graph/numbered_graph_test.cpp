#include "graph/numbered_graph.h"

#include <gtest/gtest.h>

#include <string>

#include "support/expect_fault.h"
#include "support/numbering_samples.h"

namespace copse::graph {
namespace {

using test::edge;

MethodName method(const std::string& name, std::vector<SiteName> sites = {},
                  const std::string& loader = "app") {
  return {"A", name, "()V", "A.java", loader, std::move(sites)};
}

NamedGraph graph_of(const std::vector<MethodName>& methods) {
  NamedGraph graph;
  for (const MethodName& name : methods) {
    graph.methods.class_name.push_back(name.class_name);
    graph.methods.name.push_back(name.name);
    graph.methods.descriptor.push_back(name.descriptor);
    graph.methods.source.push_back("");
    graph.methods.loader.push_back(name.loader);
  }
  return graph;
}

// main calls work at bytecodes 3 and 9.
NamedGraph main_and_work() {
  NamedGraph graph = graph_of({method("main"), method("work")});
  graph.sites = {{0, 0}, {3, 9}, {-1, -1}};
  graph.edges = {{-1, -1, 0, 1}, {0, 0, 1, 2}, {0, 1, 1, 4}};
  return graph;
}

std::vector<EdgeKey> edges_of(const Result<NumberedGraph>& numbered) {
  std::vector<EdgeKey> edges;
  for (const auto& each : numbered->graph.edges()) edges.push_back(each.key);
  return edges;
}

TEST(NumberedGraph, GivesIdsOfItsOwnWhereNothingIsKnown) {
  const Result<NumberedGraph> numbered = numbered_graph(main_and_work());
  ASSERT_TRUE(numbered.ok()) << numbered.message();
  EXPECT_EQ(edges_of(numbered), (std::vector{edge(0, 0, 1), edge(1, 1, 2), edge(1, 2, 2)}));
  EXPECT_EQ(numbered->graph.edges()[2].calls, 4u);
  EXPECT_EQ(numbered->names.method(method("work")), MethodId{2});
  EXPECT_EQ(numbered->names.site(MethodId{1}, 9), SiteOrdinal{2});
  EXPECT_EQ(numbered->names.site(MethodId{2}, 9), std::nullopt);
}

TEST(NumberedGraph, TakesKnownIdsAndPutsTheRestBehindThem) {
  // The known main has its call at 9 first and none at 3.
  const std::vector<MethodName> known = {
      {}, method("other"), method("main", {{9, 20}, {14, 21}}), method("last")};
  const Result<NumberedGraph> numbered = numbered_graph(main_and_work(), known);
  ASSERT_TRUE(numbered.ok()) << numbered.message();
  EXPECT_EQ(edges_of(numbered), (std::vector{edge(0, 0, 2), edge(2, 3, 4), edge(2, 1, 4)}));
}

TEST(NumberedGraph, TellsMethodsApartByEachOfTheirNames) {
  const std::vector<MethodName> known = {{}, method("main", {}, "boot"), method("main")};
  const Result<NumberedGraph> numbered = numbered_graph(main_and_work(), known);
  ASSERT_TRUE(numbered.ok()) << numbered.message();
  EXPECT_EQ(edges_of(numbered).front(), edge(0, 0, 2)) << "the loader is one of them";
}

TEST(NumberedGraph, FindsNamesThatAreNoValidTextByWhatReportsMakeOfThem) {
  const std::vector<MethodName> known = {{}, method("x"), method("bad\xff")};
  const Result<NumberedGraph> numbered =
      numbered_graph(graph_of({method("bad\xEF\xBF\xBD")}), known);
  ASSERT_TRUE(numbered.ok()) << numbered.message();
  EXPECT_EQ(numbered->names.method(method("bad\xEF\xBF\xBD")), MethodId{2});
}

TEST(NumberedGraph, MethodsOfOneNameAreOne) {
  NamedGraph graph = graph_of({method("main"), method("work"), method("work")});
  graph.sites = {{1, 2}, {5, 6}, {-1, -1}};
  graph.edges = {{-1, -1, 0, 1}, {1, 0, 0, 1}, {2, 1, 0, 1}};
  const Result<NumberedGraph> numbered = numbered_graph(graph);
  ASSERT_TRUE(numbered.ok()) << numbered.message();
  EXPECT_EQ(edges_of(numbered), (std::vector{edge(0, 0, 1), edge(2, 1, 1), edge(2, 2, 1)}));
}

TEST(NumberedGraph, RefusesMoreCallSitesThanThereAreOrdinals) {
  NamedGraph graph = graph_of({method("main")});
  for (std::int32_t bci = 0; bci < 0x10000; ++bci) {
    graph.sites.method.push_back(0);
    graph.sites.bci.push_back(bci);
    graph.sites.line.push_back(-1);
  }
  EXPECT_FAULT(numbered_graph(graph), kLimit, "65535");
}

}  // namespace
}  // namespace copse::graph
