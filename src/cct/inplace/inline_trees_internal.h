// State of InlineTrees per thread, and per excerpt of all threads.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "cct/inplace/inline_trees.h"
#include "cct/inplace/thread_trees.h"

namespace copse::cct {

// Owned by the header's thread, except for the members guarded by `mutex`.
struct InlineTrees::Thread {
  Thread(InlineTrees& recording, InlineRegion& region, const std::shared_ptr<MergedMethods>& merged)
      : owner(recording), tree(region, merged) {}

  InlineTrees& owner;
  shadowstack::ThreadHeader* header = nullptr;  // constant
  std::mutex mutex;                             // guards the members below
  bool live = false;
  bool closed = false;  // recording has ended for this thread
  ThreadIndex index{};  // in the report's table
  ThreadIndex row{};    // in the kept table
  ThreadTrees tree;
  std::uint32_t wishes_seen = 0;
  std::uint64_t look_at = 0;  // node count at which the total of contexts is checked
  // True if a frame has the unowned node though frames below it have nodes of this tree. The next
  // callee's slot then no longer tells which.
  bool lost_track = false;
};

// Calls of all threads but one during an excerpt: their counts at its end, less their counts at its
// beginning. Counts moved to the master meanwhile are kept. Guarded by mutex_.
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
  const std::size_t depth;  // number of the excerpt among the thread's open ones, from 1
  Cct before;
  Cct called;
  std::uint64_t lost_before = 0;
  std::uint64_t lost = 0;
  bool is_whole = true;
};

}  // namespace copse::cct
