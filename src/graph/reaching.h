// The methods of a call graph from which some of its methods can be reached: those that a selective
// encoding has to follow (Sumner et al., PCCE; Zeng et al., DeltaPath).
//
// Threads: none.
#pragma once

#include <vector>

#include "base/ids.h"
#include "graph/call_graph.h"

namespace copse::graph {

class Reaching {
 public:
  // `graph` outlives it.
  explicit Reaching(const CallGraph& graph);

  // Makes it one that is to be reached, a method of the graph. Gives the methods that reach one
  // only since then, itself included, ROOT never. Cost: the edges that lead to these.
  std::vector<MethodId> add(MethodId target);

  // Whether it is one of those to be reached or can lead to one. Of any method: false for those
  // that the graph does not know.
  bool reaches(MethodId method) const noexcept;

 private:
  const CallGraph& graph_;
  const EdgeGroups callers_;
  std::vector<bool> reaches_;  // by method
};

}  // namespace copse::graph
