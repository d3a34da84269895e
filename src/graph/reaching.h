// The methods of a call graph from which some of its methods can be reached: a selective encoding
// has to follow them (Sumner et al., PCCE; Zeng et al., DeltaPath).
//
// Not thread-safe.
#pragma once

#include <vector>

#include "base/ids.h"
#include "graph/call_graph.h"

namespace copse::graph {

class Reaching {
 public:
  // REQUIRES: `graph` outlives the object.
  explicit Reaching(const CallGraph& graph);

  // Adds a target, a method of the graph. Returns the methods that can reach a target only since
  // then: the target itself included, ROOT never. Cost: the edges that lead to these methods.
  std::vector<MethodId> add(MethodId target);

  // Returns true if the method is a target or can lead to one; false for methods that the graph
  // does not know.
  bool reaches(MethodId method) const noexcept;

 private:
  const CallGraph& graph_;
  const EdgeGroups callers_;
  std::vector<bool> reaches_;  // by method
};

}  // namespace copse::graph
