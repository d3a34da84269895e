// Which edge of an earlier run's call graph is an edge of this run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "encoders/call_graph.h"

namespace copse {

// The graph's ids of methods and call sites of this run. No two of this run become the same.
class GraphNames {
 public:
  virtual ~GraphNames() = default;
  virtual std::optional<MethodId> method(MethodId method) = 0;
  // Not of kNoSite.
  virtual std::optional<SiteOrdinal> site(MethodId caller, SiteOrdinal site) = 0;
};

class GraphEdges {
 public:
  // How many edges were asked for, and how many of these the graph has.
  struct Use {
    std::uint64_t edges = 0;
    std::uint64_t known = 0;
  };

  GraphEdges() = default;
  // Null names: the graph is of this run.
  GraphEdges(encoders::CallGraph graph, std::unique_ptr<GraphNames> names)
      : graph_(std::move(graph)), names_(std::move(names)) {}

  const encoders::CallGraph& graph() const noexcept { return graph_; }
  // The graph's; nothing when it does not have it.
  std::optional<MethodId> method(MethodId method);
  // Index of the edge in the graph; nothing likewise. To be asked once for each.
  std::optional<std::size_t> index(encoders::EdgeKey edge);
  const Use& use() const noexcept { return use_; }

 private:
  std::optional<std::size_t> find(encoders::EdgeKey edge);

  encoders::CallGraph graph_;
  std::unique_ptr<GraphNames> names_;
  Use use_;
};

}  // namespace copse
