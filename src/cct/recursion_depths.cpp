#include "cct/recursion_depths.h"

namespace copse::cct {

void RecursionDepths::add(std::size_t level, MethodId method) {
  for (; path_.size() > level; path_.pop_back()) {
    if (path_.back() != kNoMethod) --on_path_[path_.back()];
  }
  const bool is_merged = merged_.has(method);
  path_.push_back(is_merged ? method : kNoMethod);
  if (is_merged) merged_.saw_depth(method, ++on_path_[method]);
}

}  // namespace copse::cct
