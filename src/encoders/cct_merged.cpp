#include "encoders/cct_merged.h"

#include <algorithm>

namespace copse::encoders {

CallPath fold_recursion(const CallPath& path) {
  CallPath folded;
  for (const EdgeKey edge : path) {
    const auto first = std::find_if(folded.begin(), folded.end(), [&](EdgeKey kept) {
      return callee_of(kept) == callee_of(edge);
    });
    if (first == folded.end()) {
      folded.push_back(edge);
    } else {
      folded.erase(first + 1, folded.end());
    }
  }
  return folded;
}

}  // namespace copse::encoders
