// A call graph by names, in the method ids and call site ordinals of a trace or in its own.
#pragma once

#include <vector>

#include "base/program_names.h"
#include "base/status.h"
#include "encoders/call_graph.h"
#include "report/named_graph.h"

namespace copse {

// Edges with their calls, in the graph's order. Methods are matched by class, name, descriptor and
// loader, call sites by bytecode index. What the trace does not have gets ids behind the trace's: a
// static analysis, too, sees code that is never run. An error when ids run out.
Result<encoders::CallGraph> graph_of_trace(const NamedGraph& graph,
                                           const std::vector<MethodName>& methods);

struct NumberedGraph {
  encoders::CallGraph graph;
  std::vector<MethodId> methods;   // by the named graph's method
  std::vector<SiteOrdinal> sites;  // by its call site
};
// The same for those who know no names yet: with the ids that it gave out.
Result<NumberedGraph> numbered_graph(const NamedGraph& graph);

}  // namespace copse
