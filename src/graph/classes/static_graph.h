// The call graph of classes, as far as their bytes tell it.
//
// Edges: from each call site to every method of the classes that class hierarchy analysis finds for
// it; from ROOT to main() and to the run() of classes that can be a thread's task.
//
// Not in the graph: lambdas and other invokedynamic, class initialisers, reflection, and callbacks
// of native methods and of absent classes, such as the JDK's. Encoders start a piece for such
// calls, so contexts stay exact; they only cost more.
#pragma once

#include <string>
#include <vector>

#include "graph/classes/class_calls.h"
#include "graph/named_graph.h"

namespace copse::graph {

// Returns the graph, in the order of the classes. `loader`: the loader of all classes, as reports
// name it ("app"). Leaves out methods without edges.
NamedGraph static_graph(std::vector<ClassCalls> classes, const std::string& loader);

}  // namespace copse::graph
