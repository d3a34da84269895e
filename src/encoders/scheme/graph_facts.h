// Figures of a call graph that static schemes are given.
#pragma once

#include <vector>

#include "base/scheme_facts.h"
#include "graph/call_graph.h"

namespace copse::encoders {

// Returns nodes, edges, call sites, the virtual ones (call sites with several callees), and back edges (call_graph.h).
// ROOT and its edges do not count. Cost: linear in the graph.
std::vector<SchemeFact> graph_facts(const graph::CallGraph& graph);

}  // namespace copse::encoders
