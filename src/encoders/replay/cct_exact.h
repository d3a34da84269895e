// The exact calling context tree (Ammons, Ball, Larus, with "equivalent" meaning equal parents
// only): one node per distinct context. All program threads share one tree.
//
// Token: node index, 4 bytes. State: 4 bytes per frame, 24 to 32 per context.
// Return discipline: restore.
#pragma once

#include "encoders/replay/context_nodes.h"
#include "encoders/replay/encoder.h"
#include "encoders/replay/frame_threads.h"

namespace copse::encoders {

struct ThreadInCct {
  std::vector<std::uint32_t> frames = {0};  // node per live frame, ROOT first
};

class ExactCctEncoder : public FrameThreads<ThreadInCct> {
 public:
  void call(Thread& thread, EdgeKey edge) {
    thread.frames.push_back(nodes_.child(thread.frames.back(), edge));
  }
  void token(const Thread& thread, Token& out) const { out.put(thread.frames.back(), 4); }
  Result<CallPath> decode(const Token& token) const {
    if (token.size() != 4) return Status::error(Fault::kMalformed, "cct token: not 4 bytes long");
    return nodes_.path(TokenReader(token).take(4));
  }
  MemoryUse memory() const {
    return {.live_bytes = live_bytes(), .resident_bytes = nodes_.bytes()};
  }
  void save_state(wire::StateWriter& out) const { nodes_.save(out); }
  void load_state(wire::StateReader& in) { nodes_.load(in); }

  std::uint32_t node_count() const noexcept { return nodes_.size(); }  // ROOT included

 protected:
  ContextNodes nodes_;
};

}  // namespace copse::encoders
