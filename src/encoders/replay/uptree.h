// The calling context uptree (Huang and Bond, OOPSLA 2013): nodes with parent links only, made when an event needs
// them. A frame keeps its node. There is no child table, so equal activations get separate nodes and duplicates pile
// up. No garbage is collected here; the profiler's own uptree (cct/packets/uptree.h) merges duplicates.
//
// Token: node index, 4 bytes.
// Return discipline: restore.
#pragma once

#include "encoders/replay/encoder.h"
#include "encoders/replay/frame_threads.h"

namespace copse::encoders {

struct ThreadInUptree {
  struct Frame {
    EdgeKey edge;
    std::uint32_t node;  // 0 means none yet
  };
  std::vector<Frame> frames;
};

class UptreeEncoder : public FrameThreads<ThreadInUptree> {
 public:
  UptreeEncoder() : nodes_(1) {}

  void call(Thread& thread, EdgeKey edge) { thread.frames.push_back({edge, 0}); }
  // Makes the nodes that frames still lack, from the newest frame that has one. O(new frames).
  void token(Thread& thread, Token& out);
  Result<CallPath> decode(const Token& token) const;
  MemoryUse memory() const {
    return {.live_bytes = live_bytes(), .resident_bytes = allocated_bytes(nodes_)};
  }
  void save_state(wire::StateWriter& out) const { wire::put_parent_tree(out, nodes_); }
  void load_state(wire::StateReader& in) { wire::take_parent_tree(in, nodes_); }

  std::size_t node_count() const noexcept { return nodes_.size(); }  // ROOT included

 private:
  struct Node {
    EdgeKey edge = kNoEdge;
    std::uint32_t parent = 0;
  };

  std::vector<Node> nodes_;
};

}  // namespace copse::encoders
