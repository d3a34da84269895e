// A thread of a recording with trees in place. Its header leads to it (ThreadHeader::state).
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "base/ids.h"
#include "cct/inplace/inline_region.h"
#include "cct/inplace/thread_trees.h"
#include "cct/merged_methods.h"
#include "shadowstack/thread_header.h"

namespace copse::cct {

class InlineTrees;

// Owned by the header's thread, except for the members guarded by `mutex`.
struct InlineThread {
  InlineThread(InlineTrees& recording, InlineRegion& region,
               const std::shared_ptr<MergedMethods>& merged)
      : owner(recording), tree(region, merged) {}

  // Returns nullptr for a header that belongs to no thread.
  static InlineThread* of(const shadowstack::ThreadHeader& header) noexcept {
    return reinterpret_cast<InlineThread*>(header.state);
  }
  // Returns whether the trees have counts that are not in the master.
  bool is_counting() const noexcept { return live && !closed; }

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

}  // namespace copse::cct
