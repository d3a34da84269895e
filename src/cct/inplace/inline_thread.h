// A thread of a recording with trees in place. Its header leads to it (ThreadHeader::state).
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/ids.h"
#include "cct/inplace/inline_region.h"
#include "cct/inplace/known_nodes.h"
#include "cct/inplace/slices.h"
#include "cct/inplace/thread_trees.h"
#include "cct/merged_methods.h"
#include "shadowstack/thread_header.h"

namespace copse::cct {

class InlineTrees;

// Owned by the header's thread, except for the members guarded by `mutex`.
struct InlineThread {
  // The slice that the thread has begun; its frame is ThreadTrees::sliced()'s (inline_slices.h).
  struct OpenSlice {
    SliceFacts facts;
    std::uint64_t began_ns = 0;
    std::uint64_t cpu_began_ns = 0;  // 0: the thread has no clock of its own
    std::uint64_t lost_before = 0;
    bool is_whole = true;
    bool is_in_code = false;         // it began in mid-frame
    bool is_closed = false;          // the program has closed it in a callee of its frame
    std::uint64_t task = 0;          // it is a part of this task (slice_tasks.h); 0: a slice
    std::uint32_t runs = 0;          // tasks that run one inside the other
    bool is_thread = false;          // the task is the thread's, and ends with it
    std::uint64_t handing_over = 0;  // stands for it in SliceTasks; 0: it has handed over no task
    std::vector<ContextKey> base;    // of a task: path to where it began
    std::vector<std::vector<ContextNode>>
        parts;                       // counts that were moved; node 0 of each is its frame's
    std::vector<ContextNode> nodes;  // memory for its contexts
  };

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
  KnownNodes known;  // of the trees, for measures
  OpenSlice slice;
  bool misses_slices = false;  // nodes may have calls that no slice has seen
};

}  // namespace copse::cct
