// Figures of a call graph that static schemes are given.
#pragma once

#include <vector>

#include "base/scheme_facts.h"
#include "graph/call_graph.h"

namespace copse::encoders {

// Returns nodes, edges, call sites, and the virtual ones: call sites with several callees. ROOT and its edges do not
// count.
std::vector<SchemeFact> graph_facts(const graph::CallGraph& graph);

}  // namespace copse::encoders
