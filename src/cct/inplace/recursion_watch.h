// Watches the number of contexts of a recording with trees in place. Where recursion makes contexts
// without number, it finds the cycles of methods that make most of them, and has their recursion
// merged from then on: in the master at once, in each tree when its thread meets its next new call.
#pragma once

#include <cstdint>

#include "cct/inplace/inline_master.h"
#include "cct/inplace/inline_threads.h"
#include "cct/merged_methods.h"
#include "cct/recursion.h"

namespace copse::cct {

class RecursionWatch {
 public:
  RecursionWatch(const RecursionOptions& options, MergedMethods& merged, InlineThreads& threads,
                 InlineMaster& master)
      : options_(options), merged_(merged), threads_(threads), master_(master), next_(options) {}

  // Sets when the thread's tree is large enough for the next look. REQUIRES: the caller is the
  // thread, or holds the thread's mutex while the thread waits for it.
  void put_off(InlineThread& thread) const noexcept;
  // Returns whether the thread should look(). REQUIRES: the caller holds the thread's mutex.
  bool is_due(const InlineThread& thread) const noexcept {
    return options_.recursion == Recursion::kAuto && thread.tree.node_count() >= thread.look_at;
  }
  // Counts the contexts of all trees, and looks for cycles if there are many. Called by: the thread,
  // without a lock.
  void look(InlineThread& thread) noexcept;

 private:
  void note_depths() noexcept;
  std::uint64_t contexts() noexcept;
  bool find_cycles();

  const RecursionOptions options_;
  MergedMethods& merged_;
  InlineThreads& threads_;
  InlineMaster& master_;
  NextLook next_;  // guarded by InlineThreads::mutex
};

}  // namespace copse::cct
