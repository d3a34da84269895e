#include "graph/classes/static_graph.h"

#include <gtest/gtest.h>

namespace copse::graph {
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
                             {12, CallKind::kStatic, "java/lang/System", "gc()V"},
                             {15, CallKind::kStatic, "pkg/Main", "put()V"}}},
                  {.name = "help", .descriptor = "(I)V", .is_static = true, .has_code = true},
                  {.name = "put", .descriptor = "()V", .is_static = true, .is_native = true},
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
    "pkg.Main.main@15 pkg.Main.put\n"
    "ROOT pkg.Task.run\n";

TEST(StaticGraph, HasCallsThatClassesTellAndWhatRunsThreads) {
  const NamedGraph graph = static_graph(program(), "app");
  EXPECT_EQ(text_of(graph), kEdges);
  EXPECT_EQ(graph.methods.name.size(), 4u) << "nothing calls the fifth";
  EXPECT_EQ(graph.methods.descriptor[2], "(I)V");
  EXPECT_EQ(graph.methods.loader[0], "app");
}

}  // namespace
}  // namespace copse::graph
