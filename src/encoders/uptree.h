// The calling context uptree (Huang and Bond, OOPSLA 2013): nodes with parent links only, made when
// an event needs them. A frame keeps the node made for it; there is no child table, so an
// activation never finds the node of an equal one and duplicates pile up until collect().
//
// collect() marks from the frames and from the client's tokens, merges equal nodes and compacts.
// Nodes keep their order, and a parent is older than its children, so one pass in that order merges
// everything: a node is canonical if no earlier one has its (merged parent, edge).
//
// Token: node index, 4 bytes, void after a collect() it was not passed to.
// Return discipline: restore.
#pragma once

#include "encoders/encoder.h"
#include "encoders/frame_threads.h"

namespace copse::encoders {

struct ThreadInUptree {
  struct Frame {
    EdgeKey edge;
    std::uint32_t node;  // 0: none made yet
  };
  std::vector<Frame> frames;
};

class UptreeEncoder : public FrameThreads<ThreadInUptree> {
 public:
  using Frame = ThreadInUptree::Frame;

  UptreeEncoder() : nodes_(1) {}

  void call(Thread& thread, EdgeKey edge) { thread.frames.push_back({edge, 0}); }
  // Makes the nodes that frames still lack, from the newest frame that has one. O(new frames).
  void token(Thread& thread, Token& out);
  Result<CallPath> decode(const Token& token) const;
  MemoryUse memory() const {
    return {.live_bytes = live_bytes(), .resident_bytes = allocated_bytes(nodes_)};
  }
  void save_state(StateWriter& out) const { put_parent_tree(out, nodes_); }
  void load_state(StateReader& in) { take_parent_tree(in, nodes_); }

  void collect(std::vector<Token>& live);

  std::uint64_t nodes_made() const noexcept { return nodes_made_; }
  std::size_t node_count() const noexcept { return nodes_.size(); }  // ROOT included

 private:
  struct Node {
    EdgeKey edge = kNoEdge;
    std::uint32_t parent = 0;
  };

  std::vector<bool> mark(const std::vector<Token>& live) const;
  std::vector<std::uint32_t> merge_and_compact(const std::vector<bool>& marked);

  std::vector<Node> nodes_;
  std::uint64_t nodes_made_ = 0;
};

}  // namespace copse::encoders
