// A call graph by names, in ids of methods and ordinals of call sites: those of a program that is
// known already, such as a trace's, or its own.
#pragma once

#include <string>
#include <vector>

#include "base/program_names.h"
#include "base/status.h"
#include "graph/call_graph.h"
#include "graph/name_index.h"
#include "graph/named_graph.h"

namespace copse::graph {

struct NumberedGraph {
  CallGraph graph;  // edges with their calls, in the named graph's order
  NameIndex names;  // of the graph's methods and call sites, and of the known ones
};

// `known`: the program's methods by id, element 0 unused. What is not among them gets ids behind
// theirs: a static analysis, too, sees code that is never run. An error when ids run out.
Result<NumberedGraph> numbered_graph(const NamedGraph& graph,
                                     const std::vector<MethodName>& known = {});

// Of a file, as read_named_graph(); of no known program. "PATH: why".
Result<NumberedGraph> read_numbered_graph(const std::string& path);

}  // namespace copse::graph
