// The call graph of classes, as far as their bytes tell it.
//
// Edges: from each call site to every method of the classes that class hierarchy analysis finds for
// it; from ROOT to main() and to the run() of what can be a thread's task.
//
// Not in the graph: lambdas and other invokedynamic, class initialisers, reflection, and callbacks of
// native methods and of classes that are not here, such as the JDK's. Encoders start a piece for such calls,
// so contexts stay exact; they only cost more.
#pragma once

#include <string>
#include <vector>

#include "graph/classes/class_calls.h"
#include "graph/named_graph.h"

namespace copse::graph {

// `loader`: of all the classes, as reports name it ("app"). Methods that no edge touches are left
// out. The order of everything follows that of the classes.
NamedGraph static_graph(std::vector<ClassCalls> classes, const std::string& loader);

}  // namespace copse::graph
