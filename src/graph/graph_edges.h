// Which edge of an earlier run's call graph is an edge of this run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "graph/call_graph.h"
#include "graph/graph_names.h"

namespace copse::graph {

// Of the edges that a program took: how many were asked for, and how many of these the graph has.
struct GraphUse {
  std::uint64_t edges = 0;
  std::uint64_t known = 0;
};

class GraphEdges {
 public:
  using Use = GraphUse;

  GraphEdges() = default;
  // Null names: the graph is of this run.
  GraphEdges(CallGraph graph, std::unique_ptr<GraphNames> names)
      : graph_(std::move(graph)), names_(std::move(names)) {}

  const CallGraph& graph() const noexcept { return graph_; }
  // The graph's; nothing when it does not have it.
  std::optional<MethodId> method(MethodId method);
  // Index of the edge in the graph; nothing likewise. To be asked once for each.
  std::optional<std::size_t> index(EdgeKey edge);
  const Use& use() const noexcept { return use_; }

 private:
  std::optional<std::size_t> find(EdgeKey edge);

  CallGraph graph_;
  std::unique_ptr<GraphNames> names_;
  Use use_;
};

}  // namespace copse::graph
