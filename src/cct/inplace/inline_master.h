// Master tree of a recording with trees in place, with the sums of the counts moved there. The tree
// stays within its bound by evicting its coldest subtrees.
//
// REQUIRES: the caller holds InlineThreads::mutex.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "cct/cct.h"
#include "cct/inplace/inline_move.h"
#include "cct/inplace/inline_run.h"
#include "cct/inplace/inline_threads.h"
#include "cct/inplace/inline_tree.h"
#include "cct/merged_methods.h"
#include "shadowstack/memory_source.h"

namespace copse::cct {

class InlineMaster {
 public:
  // Throws std::bad_alloc.
  InlineMaster(shadowstack::MemorySource& memory, std::uint32_t most_nodes, InlineRun& run,
               const std::shared_ptr<MergedMethods>& merged, InlineThreads& threads);

  Cct& tree() noexcept { return tree_; }
  const Cct& tree() const noexcept { return tree_; }
  std::uint32_t most_nodes() const noexcept { return most_nodes_; }
  std::uint64_t calls_seen() const noexcept { return calls_seen_; }
  std::uint64_t calls_lost() const noexcept { return calls_lost_; }  // outside the tree

  // Moves counts of a thread's trees by `moves`, which may throw std::bad_alloc. Returns false if it
  // does. What was not reached is missing from calls_seen(), too. REQUIRES: the caller also holds
  // the thread's mutex.
  bool move(InlineThread& thread,
            const std::function<void(InlineMove&, InlineTree::Totals&)>& moves) noexcept;
  // Forgets everything.
  void clear() noexcept;
  // Adds calls that are in no tree.
  void add_lost(std::uint64_t calls) noexcept;
  // Gives back all memory. No other function may follow.
  void release() noexcept { tree_.release(); }
  // Merges the recursion of methods that were chosen since the last merge.
  void merge_recursion() noexcept;

 private:
  InlineRun& run_;
  InlineThreads& threads_;
  const std::uint32_t most_nodes_;
  Cct tree_;
  std::uint64_t calls_seen_ = 0;
  std::uint64_t calls_lost_ = 0;
};

}  // namespace copse::cct
