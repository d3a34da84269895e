#include "encoders/cct_exact.h"

namespace copse::encoders {

Result<CallPath> ExactCctEncoder::decode(const Token& token) const {
  if (token.size() != 4) return Status::error("cct token: not 4 bytes long");
  return nodes_.path(TokenReader(token).take(4));
}

MemoryUse ExactCctEncoder::memory() const {
  MemoryUse use;
  use.live_bytes = threads_.bytes();
  threads_.for_each([&](const Thread& t) { use.live_bytes += allocated_bytes(t.frames); });
  use.resident_bytes = nodes_.bytes();
  return use;
}

}  // namespace copse::encoders
