// Stack walking: the token is the shadow stack itself. Exact by construction, O(depth) per event;
// the oracle the other encoders are compared with.
//
// Token: 8 bytes per live frame. State: 8 bytes per frame.
#pragma once

#include "encoders/replay/encoder.h"
#include "encoders/replay/frame_threads.h"

namespace copse::encoders {

struct WalkedThread {
  std::vector<EdgeKey> frames;
};

class StackWalkEncoder : public FrameThreads<WalkedThread> {
 public:
  void call(Thread& thread, EdgeKey edge) { thread.frames.push_back(edge); }
  void token(const Thread& thread, Token& out) const;
  Result<CallPath> decode(const Token& token) const;
  MemoryUse memory() const { return {.live_bytes = live_bytes()}; }
};

}  // namespace copse::encoders
