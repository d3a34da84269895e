// Maps edges of this run to edges of an earlier run's call graph.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "graph/call_graph.h"
#include "graph/graph_names.h"

namespace copse::graph {

// Number of a program's edges that were looked up, and of those that the graph has.
struct GraphUse {
  std::uint64_t edges = 0;
  std::uint64_t known = 0;
};

class GraphEdges {
 public:
  using Use = GraphUse;

  GraphEdges() = default;
  // `names`: nullptr if the graph is of this run.
  GraphEdges(CallGraph graph, std::unique_ptr<GraphNames> names)
      : graph_(std::move(graph)), names_(std::move(names)) {}

  const CallGraph& graph() const noexcept { return graph_; }
  // Returns the graph's id of a method; std::nullopt if it has none.
  std::optional<MethodId> method(MethodId method);
  // Returns the index of the edge in the graph; std::nullopt if it has none. REQUIRES: called once
  // per edge.
  std::optional<std::size_t> index(EdgeKey edge);
  const Use& use() const noexcept { return use_; }

 private:
  std::optional<std::size_t> find(EdgeKey edge);

  CallGraph graph_;
  std::unique_ptr<GraphNames> names_;
  Use use_;
};

}  // namespace copse::graph
