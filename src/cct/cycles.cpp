#include "cct/cycles.h"

namespace copse::cct {

MethodId Cycles::root_of(MethodId method) {
  MethodId& parent = parent_.try_emplace(method, method).first->second;
  if (parent == method) return method;
  // Halves the way for the next one.
  return parent = root_of(parent);
}

void Cycles::unite(MethodId one, MethodId other) {
  const MethodId root = root_of(one);
  parent_[root] = root_of(other);
}

std::vector<MethodId> Cycles::worth_merging() {
  std::vector<MethodId> methods;
  if (repeated_ * 2 < contexts_) return methods;
  std::unordered_map<MethodId, std::uint64_t> by_cycle;
  for (const auto& [method, weight] : weight_) by_cycle[root_of(method)] += weight;
  for (const auto& [method, parent] : parent_) {
    if (by_cycle[root_of(method)] * 8 >= contexts_) methods.push_back(method);
  }
  std::sort(methods.begin(), methods.end());
  return methods;
}

}  // namespace copse::cct
