// Excerpts of a recording with trees in place: what is called while a piece of the program's code
// runs (excerpt.h). A thread's own calls are in trees of its own (thread_trees.h). For an excerpt of
// all threads, the trees of the others are read at its beginning and at its end; counts that leave
// these trees in between are kept.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cct/cct.h"
#include "cct/inplace/excerpt.h"
#include "cct/inplace/inline_master.h"
#include "cct/inplace/inline_region.h"
#include "cct/inplace/inline_threads.h"
#include "cct/merged_methods.h"

namespace copse::cct {

class InlineExcerpts {
 public:
  InlineExcerpts(InlineRegion& region, const std::shared_ptr<MergedMethods>& merged,
                 InlineThreads& threads, InlineMaster& master)
      : region_(region), merged_(merged), threads_(threads), master_(master) {}

  // Begins an excerpt of the thread's calls, or of all threads', in its word `slot`. Returns the
  // thread's next word; 0 after the end of recording and without memory. Called by, like end(): the
  // thread, without a lock. That of a test is of all threads as well, without what other threads
  // call in tests.
  enum class Whose : std::uint8_t { kOwnCalls, kAllThreads, kTest };
  std::uint64_t begin(InlineThread& thread, std::uint64_t slot, Whose whose) noexcept;
  // Ends and returns the excerpt that began with this slot, and those inside it; std::nullopt if
  // recording has ended meanwhile.
  std::optional<Excerpt> end(InlineThread& thread, std::uint64_t slot) noexcept;

  // The next functions REQUIRE: the caller holds InlineThreads::mutex and the thread's.

  // Ends those open excerpts of the thread that do not have its word `slot`.
  void end_left_open(InlineThread& thread, std::uint64_t slot) noexcept;
  // Keeps the thread's counts for excerpts of all threads, before they move to the master.
  void keep_counts(const InlineThread& thread) noexcept { keep(thread, Part::kAll); }
  // Drops the excerpts of all threads that this thread has open.
  void drop(const InlineThread& thread) noexcept;
  // Drops all excerpts of all threads, because the recording has ended.
  void drop_all() noexcept { watches_.clear(); }

 private:
  // Calls of all threads but one during an excerpt: their counts at its end, less their counts at its
  // beginning. Counts moved to the master meanwhile are kept.
  struct Watch {
    Watch(const InlineThread& thread, Whose whose, const std::shared_ptr<MergedMethods>& merged);
    // Returns its part of what another thread has called.
    InlineTree::Totals add_calls_of(const InlineThread& other, Cct& tree) const;
    // Throws std::bad_alloc.
    void subtract_before(Excerpt& excerpt);

    const InlineThread& by;
    const Whose whose;
    const std::size_t depth;  // number of the excerpt among the thread's open ones, from 1
    Cct before;
    Cct called;
    std::uint64_t lost_before = 0;
    std::uint64_t lost = 0;
    bool is_whole = true;
  };
  enum class Part : std::uint8_t { kAll, kInnermost };

  std::uint64_t unowned_calls() const noexcept { return calls_of(region_.unowned()); }
  bool watch_others(const InlineThread& thread, Whose whose) noexcept;
  void keep(const InlineThread& thread, Part part) noexcept;
  std::unique_ptr<Watch> take_watch(const InlineThread& thread) noexcept;
  void add_others(Watch& watch, Excerpt& excerpt) noexcept;
  Excerpt end_innermost(InlineThread& thread) noexcept;
  void end_but(InlineThread& thread, std::size_t count) noexcept;

  InlineRegion& region_;
  const std::shared_ptr<MergedMethods> merged_;
  InlineThreads& threads_;
  InlineMaster& master_;
  // One per open excerpt of all threads. Guarded by InlineThreads::mutex.
  std::vector<std::unique_ptr<Watch>> watches_;
};

}  // namespace copse::cct
