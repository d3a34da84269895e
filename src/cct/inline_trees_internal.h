// A thread of InlineTrees.
#pragma once

#include <mutex>

#include "cct/inline_tree.h"
#include "cct/inline_trees.h"

namespace copse::cct {

// Owned by the header's thread but for the tree, which is under `mutex`.
struct InlineTrees::Thread {
  Thread(InlineTrees& recording, InlineRegion& region, const MergedMethods& merged)
      : owner(recording), tree(region, merged) {}

  InlineTrees& owner;
  shadowstack::ThreadHeader* header = nullptr;  // constant
  std::mutex mutex;                             // of all below
  bool live = false;
  bool closed = false;  // recording has ended for this thread
  ThreadIndex index{};  // in the report's table
  ThreadIndex row{};    // in the kept one
  InlineTree tree;
  std::uint32_t wishes_seen = 0;
  std::uint64_t look_at = 0;  // nodes at which it asks how many contexts there are in all
  // A frame has nobody's node though others of this tree are live below it: which, the next
  // callee's slot does not tell any more.
  bool lost_track = false;
};

}  // namespace copse::cct
