#include "graph/classes/static_graph.h"

#include <gtest/gtest.h>

namespace copse::graph {
namespace {

std::vector<ClassCalls> program() {
  ClassCalls task;
  task.name = "pkg/Task";
  task.super_name = "java/lang/Object";
  task.interfaces = {"java/lang/Runnable"};
  task.methods = {{.name = "run", .descriptor = "()V"}};
  task.calls.resize(1);
  ClassCalls main;
  main.name = "pkg/Main";
  main.super_name = "java/lang/Object";
  constexpr std::uint16_t kNative = classfile::kAccStatic | classfile::kAccNative;
  main.methods = {
      {.name = "main", .descriptor = "([Ljava/lang/String;)V", .access = classfile::kAccStatic},
      {.name = "help", .descriptor = "(I)V", .access = classfile::kAccStatic},
      {.name = "put", .descriptor = "()V", .access = kNative},
      {.name = "unused", .descriptor = "()V", .access = classfile::kAccStatic}};
  main.calls.resize(4);
  main.calls[0] = {{7, CallKind::kVirtual, "java/lang/Runnable", "run()V"},
                   {9, CallKind::kStatic, "pkg/Main", "help(I)V"},
                   {12, CallKind::kStatic, "java/lang/System", "gc()V"},
                   {15, CallKind::kStatic, "pkg/Main", "put()V"}};
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
