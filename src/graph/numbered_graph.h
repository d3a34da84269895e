// Converts a call graph by names to ids of methods and ordinals of call sites: those of a known
// program, such as a trace's, or new ones.
#pragma once

#include <string>
#include <vector>

#include "base/program_names.h"
#include "base/status.h"
#include "graph/call_graph.h"
#include "graph/graph_names.h"
#include "graph/named_graph.h"

namespace copse::graph {

struct NumberedGraph {
  CallGraph graph;  // edges with their calls, in the named graph's order
  NameIndex names;  // ids of the graph's methods and call sites, and of the known ones
};

// Numbers a graph. `known`: the program's methods by id, element 0 unused. Other methods get the
// ids behind these: a static analysis, too, sees code that is never run. Returns an error when ids
// run out.
Result<NumberedGraph> numbered_graph(const NamedGraph& graph,
                                     const std::vector<MethodName>& known = {});

// Reads a file as read_named_graph() does and numbers it without known methods. Returns the error
// "PATH: why".
Result<NumberedGraph> read_numbered_graph(const std::string& path);

}  // namespace copse::graph
