#include "encoders/cct_merged.h"

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

Result<CallPath> MergedCctEncoder::decode(const Token& token) const {
  if (token.size() != 4) return Status::error("cct-merged token: not 4 bytes long");
  return nodes_.path(TokenReader(token).take(4));
}

MemoryUse MergedCctEncoder::memory() const {
  MemoryUse use;
  use.live_bytes = threads_.bytes();
  threads_.for_each([&](const Thread& t) { use.live_bytes += allocated_bytes(t.frames); });
  use.resident_bytes = nodes_.bytes();
  return use;
}

}  // namespace copse::encoders
