// The recursion-merging calling context tree (Ammons, Ball, Larus): a call to a method that is
// already on the path from ROOT goes back up to that node, so the depth is at most the number of
// methods. Not precise by design: decode gives merge_recursion(context).
//
// Token: node index, 4 bytes. Cost: O(path) per call on top of the child look-up.
// Return discipline: restore; the parent of a node is not always its caller, so frames are kept.
#pragma once

#include "encoders/context_nodes.h"
#include "encoders/encoder.h"
#include "encoders/thread_table.h"

namespace copse::encoders {

// Scans the path and, at a method met before, goes back to its first activation.
CallPath merge_recursion(const CallPath& path);

class MergedCctEncoder {
 public:
  struct Thread {
    std::vector<std::uint32_t> frames = {0};
  };

  Thread& thread(ThreadIndex index) { return threads_.get(index); }
  void start(Thread& thread) { thread.frames.assign(1, 0); }
  void call(Thread& thread, EdgeKey edge) {
    std::uint32_t node = thread.frames.back();
    while (node != 0 && callee_of(nodes_[node].edge) != callee_of(edge)) node = nodes_[node].parent;
    if (node == 0) node = nodes_.child(thread.frames.back(), edge);
    thread.frames.push_back(node);
  }
  void ret(Thread& thread) { thread.frames.pop_back(); }
  void unwind(Thread& thread, std::uint32_t count) {
    thread.frames.resize(thread.frames.size() - count);
  }
  void end(Thread& thread) { thread = Thread(); }
  void token(const Thread& thread, Token& out) const { out.put(thread.frames.back(), 4); }
  Result<CallPath> decode(const Token& token) const;
  CallPath expected(const CallPath& truth) const { return merge_recursion(truth); }
  MemoryUse memory() const;
  void save_state(StateWriter& out) const { nodes_.save(out); }
  void load_state(StateReader& in) { nodes_.load(in); }

  std::uint32_t node_count() const noexcept { return nodes_.size(); }  // ROOT included

 private:
  ContextNodes nodes_;
  ThreadTable<Thread> threads_;
};

}  // namespace copse::encoders
