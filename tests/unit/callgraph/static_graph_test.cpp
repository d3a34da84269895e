#include "callgraph/static_graph.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "report/report_graph.h"

namespace copse {
namespace {

std::vector<ClassCalls> program() {
  ClassCalls task;
  task.name = "pkg/Task";
  task.super_name = "java/lang/Object";
  task.interfaces = {"java/lang/Runnable"};
  task.methods = {{.name = "run", .descriptor = "()V", .has_code = true}};
  ClassCalls main;
  main.name = "pkg/Main";
  main.super_name = "java/lang/Object";
  main.methods = {{.name = "main",
                   .descriptor = "([Ljava/lang/String;)V",
                   .is_static = true,
                   .has_code = true,
                   .calls = {{7, CallKind::kVirtual, "java/lang/Runnable", "run()V"},
                             {9, CallKind::kStatic, "pkg/Main", "help(I)V"},
                             {12, CallKind::kStatic, "java/lang/System", "gc()V"}}},
                  {.name = "help", .descriptor = "(I)V", .is_static = true, .has_code = true},
                  {.name = "unused", .descriptor = "()V", .is_static = true, .has_code = true}};
  return {main, task};
}

std::string text_of(const NamedGraph& graph) {
  const auto name = [&](std::int32_t method) {
    if (method < 0) return std::string("ROOT");
    const auto i = static_cast<std::size_t>(method);
    return graph.methods.class_name[i] + "." + graph.methods.name[i];
  };
  std::string text;
  for (const NamedGraph::Edge& edge : graph.edges) {
    text += name(edge.caller);
    if (edge.site >= 0) {
      text += "@" + std::to_string(graph.sites.bci[static_cast<std::size_t>(edge.site)]);
    }
    text += " " + name(edge.callee) + "\n";
  }
  return text;
}

constexpr const char* kEdges =
    "ROOT pkg.Main.main\n"
    "pkg.Main.main@7 pkg.Task.run\n"
    "pkg.Main.main@9 pkg.Main.help\n"
    "ROOT pkg.Task.run\n";

TEST(StaticGraph, HasCallsThatClassesTellAndWhatRunsThreads) {
  const NamedGraph graph = static_graph(program(), "app");
  EXPECT_EQ(text_of(graph), kEdges);
  EXPECT_EQ(graph.methods.name.size(), 3u) << "nothing calls the fourth";
  EXPECT_EQ(graph.methods.descriptor[2], "(I)V");
  EXPECT_EQ(graph.methods.loader[0], "app");
}

class GraphFile : public testing::Test {
 protected:
  ~GraphFile() override { std::filesystem::remove(path_); }
  std::string error_of(const std::string& text) {
    std::ofstream(path_) << text;
    const Result<NamedGraph> graph = read_named_graph(path_);
    return graph.ok() ? "" : graph.message();
  }
  const std::string path_ = testing::TempDir() + "/graph-" + std::to_string(getpid()) + ".json";
};

TEST_F(GraphFile, ReadsBackAsItWasWritten) {
  const NamedGraph graph = static_graph(program(), "app");
  ASSERT_TRUE(write_named_graph(graph, "copse test", path_).ok());
  const Result<NamedGraph> again = read_named_graph(path_);
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(text_of(*again), kEdges);
  EXPECT_EQ(again->methods.descriptor, graph.methods.descriptor);
  const Result<NumberedGraph> numbered = numbered_graph(*again);
  ASSERT_TRUE(numbered.ok());
  EXPECT_EQ(numbered->graph.edges().size(), 4u);
}

TEST_F(GraphFile, ThatContradictsItselfIsRefusedInOneLine) {
  const std::string head = R"({"schema":"copse.callgraph/1","methods":{"class":["A"],"name":["m"],)"
                           R"("descriptor":["()V"],"loader":["app"]},)";
  const std::string sites = R"("sites":{"method":[0],"bci":[1]},)";
  EXPECT_EQ(error_of(head + sites + R"("edges":{"caller":[0],"site":[0],"callee":[0]}})"), "");
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
    const std::string error = error_of(head + rest);
    EXPECT_TRUE(error.starts_with(path_ + ": ")) << rest << "\n" << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
  EXPECT_NE(error_of(R"({"schema":"copse.callgraph/2"})").find("unknown schema"),
            std::string::npos);
}

TEST_F(GraphFile, IsToldFromAReportByItsSchemaAlone) {
  const std::string error =
      error_of(R"({"schema":"copse.cct/2","program":{"command":["copse.callgraph/1"]}})");
  EXPECT_NE(error, "");
  EXPECT_EQ(error.find("schema"), std::string::npos) << "not read as a report: " << error;
}

}  // namespace
}  // namespace copse
