#include "encoders/replay/stack_walk.h"

namespace copse::encoders {

void StackWalkEncoder::token(const Thread& thread, Token& out) const {
  for (const EdgeKey edge : thread.frames) out.put(edge);
}

Result<CallPath> StackWalkEncoder::decode(const Token& token) const {
  if (token.size() % 8 != 0)
    return Status::error(Fault::kMalformed, "walk token: length is no multiple of 8");
  CallPath path;
  TokenReader reader(token);
  while (!reader.at_end()) {
    path.push_back(reader.take_edge());
    if (callee_of(path.back()) == kRootMethod) {
      return Status::error(Fault::kMalformed, "walk token: an edge leads to ROOT");
    }
  }
  return path;
}

}  // namespace copse::encoders
