#include "encoders/scheme/graph_facts.h"

#include <algorithm>

#include "base/flat_map.h"

namespace copse::encoders {

std::vector<SchemeFact> graph_facts(const graph::CallGraph& graph) {
  const std::vector<bool> back = graph::find_back_edges(graph);
  std::uint64_t nodes = 0, edges = 0, sites = 0, virtual_sites = 0;
  for (std::uint32_t i = 1; i < graph.method_limit(); ++i) nodes += graph.contains(MethodId{i});
  FlatMap<std::uint64_t, std::uint32_t> targets;  // by site key + 1
  for (const graph::CallGraph::Edge& edge : graph.edges()) {
    if (caller_of(edge.key) == kRootMethod) continue;
    ++edges;
    std::uint32_t& count = targets[site_key(edge.key) + 1];
    sites += ++count == 1;
    virtual_sites += count == 2;
  }
  return {{"nodes", nodes},
          {"edges", edges},
          {"call_sites", sites},
          {"virtual_call_sites", virtual_sites},
          {"back_edges", static_cast<std::uint64_t>(std::ranges::count(back, true))}};
}

}  // namespace copse::encoders
