#include "graph/reaching.h"

namespace copse::graph {

Reaching::Reaching(const CallGraph& graph)
    : graph_(graph), callers_(graph, EdgeGroups::By::kCallee), reaches_(graph.method_limit()) {}

std::vector<MethodId> Reaching::add(MethodId target) {
  std::vector<MethodId> found;
  const auto find = [&](MethodId method) {
    if (method == kRootMethod || reaches_[raw(method)]) return;
    reaches_[raw(method)] = true;
    found.push_back(method);
  };
  find(target);
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const std::uint32_t e : callers_.of(found[i])) find(caller_of(graph_.edges()[e].key));
  }
  return found;
}

bool Reaching::reaches(MethodId method) const noexcept {
  return raw(method) < reaches_.size() && reaches_[raw(method)];
}

}  // namespace copse::graph
