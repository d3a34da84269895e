// The recursion-merging calling context tree (Ammons, Ball, Larus): a call to a method that is
// already on the path from ROOT goes back up to that node, so the depth is at most the number of
// methods. Not precise by design: decode gives merge_recursion(context).
//
// Token: node index, 4 bytes. Cost: O(path) per call on top of the child look-up.
// Return discipline: restore; the parent of a node is not always its caller, so frames are kept.
#pragma once

#include "encoders/replay/cct_exact.h"

namespace copse::encoders {

// Scans the path and, at a method already on it, goes back to its first activation.
CallPath merge_recursion(const CallPath& path);

class MergedCctEncoder : public ExactCctEncoder {
 public:
  void call(Thread& thread, EdgeKey edge) {
    std::uint32_t node = thread.frames.back();
    while (node != 0 && callee_of(nodes_[node].edge) != callee_of(edge)) node = nodes_[node].parent;
    if (node == 0) node = nodes_.child(thread.frames.back(), edge);
    thread.frames.push_back(node);
  }
  CallPath expected(const CallPath& truth) const { return merge_recursion(truth); }
};

}  // namespace copse::encoders
