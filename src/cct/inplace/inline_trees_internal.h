// What InlineTrees has of a thread, and of an excerpt of all threads.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "cct/inplace/inline_trees.h"
#include "cct/inplace/thread_trees.h"

namespace copse::cct {

// Owned by the header's thread but for the tree, which is under `mutex`.
struct InlineTrees::Thread {
  Thread(InlineTrees& recording, InlineRegion& region, const std::shared_ptr<MergedMethods>& merged)
      : owner(recording), tree(region, merged) {}

  InlineTrees& owner;
  shadowstack::ThreadHeader* header = nullptr;  // constant
  std::mutex mutex;                             // of all below
  bool live = false;
  bool closed = false;  // recording has ended for this thread
  ThreadIndex index{};  // in the report's table
  ThreadIndex row{};    // in the kept one
  ThreadTrees tree;
  std::uint32_t wishes_seen = 0;
  std::uint64_t look_at = 0;  // nodes at which it asks how many contexts there are in all
  // A frame has nobody's node though others of this tree are live below it: which, the next
  // callee's slot does not tell any more.
  bool lost_track = false;
};

// What the threads but one call while an excerpt lasts: all that they have called at its end, less
// what they had at its beginning. Counts that go to the master meanwhile are kept. Under mutex_.
struct InlineTrees::Watch {
  Watch(const Thread& thread, const std::shared_ptr<MergedMethods>& merged)
      : by(thread),
        depth(thread.tree.excerpt_count()),
        before(shadowstack::anonymous_memory(), kMostExcerptNodes),
        called(shadowstack::anonymous_memory(), kMostExcerptNodes) {
    before.merge_recursion_of(merged);
    called.merge_recursion_of(merged);
  }

  // Throws std::bad_alloc.
  void subtract_before(Excerpt& excerpt);

  const Thread& by;
  const std::size_t depth;  // of the excerpt among those of its thread
  Cct before;
  Cct called;
  std::uint64_t lost_before = 0;
  std::uint64_t lost = 0;
  bool is_whole = true;
};

}  // namespace copse::cct
