#include "encoders/replay/cct_merged.h"

#include <algorithm>

namespace copse::encoders {

CallPath merge_recursion(const CallPath& path) {
  CallPath merged;
  for (const EdgeKey edge : path) {
    const auto first = std::find_if(merged.begin(), merged.end(), [&](EdgeKey kept) {
      return callee_of(kept) == callee_of(edge);
    });
    if (first == merged.end()) {
      merged.push_back(edge);
    } else {
      merged.erase(first + 1, merged.end());
    }
  }
  return merged;
}

}  // namespace copse::encoders
