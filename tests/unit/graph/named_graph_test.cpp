#include "graph/named_graph.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/expect_fault.h"

namespace copse::graph {
namespace {

class GraphFile : public testing::Test {
 protected:
  ~GraphFile() override { std::filesystem::remove(path_); }
  Status error_of(const std::string& text) {
    std::ofstream(path_) << text;
    return faults::status_of(read_named_graph(path_));
  }
  const std::string path_ = testing::TempDir() + "/graph-" + std::to_string(getpid()) + ".json";
};

// ROOT calls A.m, which calls itself at bytecode 3.
NamedGraph sample() {
  NamedGraph graph;
  graph.methods = {{"A"}, {"m"}, {"()V"}, {""}, {"app"}};
  graph.sites = {{0}, {3}, {-1}};
  graph.edges = {{-1, -1, 0, 0}, {0, 0, 0, 0}};
  return graph;
}

TEST_F(GraphFile, ReadsBackAsItWasWritten) {
  ASSERT_TRUE(write_named_graph(sample(), "copse test", path_).ok());
  const Result<NamedGraph> again = read_named_graph(path_);
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(again->methods.class_name, sample().methods.class_name);
  EXPECT_EQ(again->methods.descriptor, sample().methods.descriptor);
  EXPECT_EQ(again->methods.loader, sample().methods.loader);
  EXPECT_EQ(again->sites.bci, sample().sites.bci);
  ASSERT_EQ(again->edges.size(), 2u);
  EXPECT_EQ(again->edges[0].caller, -1);
  EXPECT_EQ(again->edges[1].site, 0);
}

TEST_F(GraphFile, IsNoIdFile) { EXPECT_FAULT(error_of("copse.ids/1\nSCHM"), kMalformed, path_); }

TEST(NamedGraph, OfAReportHasAnEdgeForEveryContextsCall) {
  report::ReportModel report;
  report.methods = {{"A", "A"}, {"m", "n"}, {"()V", "()V"}, {"", ""}, {"app", "app"}};
  report.sites = {{0}, {3}, {-1}};
  // ROOT, m, m's n at 3, and what is no method: the calls that found no place.
  report.nodes.parent = {-1, 0, 1, 1};
  report.nodes.method = {-1, 0, 1, -1};
  report.nodes.site = {-1, -1, 0, -1};
  report.nodes.calls = {0, 2, 5, 9};
  const NamedGraph graph = named_graph(std::move(report));
  ASSERT_EQ(graph.edges.size(), 2u);
  EXPECT_EQ(graph.edges[0].caller, -1);
  EXPECT_EQ(graph.edges[0].calls, 2u);
  EXPECT_EQ(graph.edges[1].caller, 0);
  EXPECT_EQ(graph.edges[1].site, 0);
  EXPECT_EQ(graph.edges[1].callee, 1);
  EXPECT_EQ(graph.edges[1].calls, 5u);
}

TEST(NamedGraph, OfAReportHasNoNodesForThreadsAndTypes) {
  report::ReportModel report;
  report.methods = {{"", "A", ""},
                    {"[main]", "m", "java.lang.String"},
                    {"", "()V", ""},
                    {"", "", ""},
                    {"", "app", ""}};
  // ROOT, a thread, its m, and the type of what m allocated.
  report.nodes.parent = {-1, 0, 1, 2};
  report.nodes.method = {-1, 0, 1, 2};
  report.nodes.site = {-1, -1, -1, -1};
  report.nodes.calls = {0, 0, 2, 0};
  const NamedGraph graph = named_graph(std::move(report));
  ASSERT_EQ(graph.edges.size(), 1u);
  EXPECT_EQ(graph.edges[0].caller, -1) << "a thread's entry is called by ROOT";
  EXPECT_EQ(graph.edges[0].callee, 1);
}

TEST_F(GraphFile, ThatContradictsItselfIsRefusedInOneLine) {
  const std::string head = R"({"schema":"copse.callgraph/1","methods":{"class":["A"],"name":["m"],)"
                           R"("descriptor":["()V"],"loader":["app"]},)";
  const std::string sites = R"("sites":{"method":[0],"bci":[1]},)";
  EXPECT_TRUE(error_of(head + sites + R"("edges":{"caller":[0],"site":[0],"callee":[0]}})").ok());
  for (const std::string& rest :
       {sites + R"("edges":{"caller":[1],"site":[0],"callee":[0]}})",
        sites + R"("edges":{"caller":[-1],"site":[0],"callee":[0]}})",
        sites + R"("edges":{"caller":[0],"site":[1],"callee":[0]}})",
        sites + R"("edges":{"caller":[0],"site":[0],"callee":[-1]}})",
        sites + R"("edges":{"caller":[0],"site":[],"callee":[0]}})",
        sites + R"("edges":{"caller":["a"],"site":[0],"callee":[0]}})",
        sites + R"("edges":{"caller":[4294967296],"site":[0],"callee":[0]}})",
        sites + R"("edges":{"caller":[-4294967296],"site":[0],"callee":[0]}})",
        sites + R"("edges":{"caller":[18446744073709551615],"site":[-1],"callee":[0]}})",
        sites + R"("edges":{"caller":[0.5],"site":[0],"callee":[0]}})",
        sites + R"("edges":{"caller":0,"site":[0],"callee":[0]}})", sites + R"("edges":[]})",
        std::string(
            R"("sites":{"method":[2],"bci":[1]},"edges":{"caller":[],"site":[],"callee":[]}})"),
        std::string(R"("edges":{}})"), std::string("\"edges\":")}) {
    const Status error = error_of(head + rest);
    EXPECT_FAULT(error, kMalformed, path_ + ": ") << rest;
    EXPECT_EQ(error.message().find('\n'), std::string::npos) << error.message();
  }
  EXPECT_FAULT(error_of(R"({"schema":"copse.callgraph/2"})"), kMalformed, "copse.callgraph/1");
}

TEST_F(GraphFile, IsToldFromAReportByItsSchemaAlone) {
  const Status error =
      error_of(R"({"schema":"copse.cct/2","program":{"command":["copse.callgraph/1"]}})");
  ASSERT_FALSE(error.ok());
  EXPECT_EQ(error.message().find("schema"), std::string::npos)
      << "not read as a report: " << error.message();
}

}  // namespace
}  // namespace copse::graph
