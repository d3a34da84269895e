#include "cct/inplace/inline_master.h"

#include <algorithm>
#include <new>

namespace copse::cct {

InlineMaster::InlineMaster(shadowstack::MemorySource& memory, std::uint32_t most_nodes,
                           InlineRun& run, const std::shared_ptr<MergedMethods>& merged,
                           InlineThreads& threads)
    : run_(run),
      threads_(threads),
      most_nodes_(most_nodes),
      // A chain of live frames may be beyond the bound.
      tree_(memory, std::min(most_nodes + 2 * kMaxDepth, Cct::kMostNodes)) {
  tree_.keep_in(run.master);
  tree_.merge_recursion_of(merged);
}

bool InlineMaster::move(
    InlineThread& thread,
    const std::function<void(InlineMove&, InlineTree::Totals&)>& moves) noexcept {
  InlineTree::Totals totals;
  InlineMove move(tree_, most_nodes_, run_, threads_.kept_row_to_add_to(thread));
  bool all = true;
  try {
    moves(move, totals);
  } catch (const std::bad_alloc&) {
    all = false;
  }
  move.evict();  // what was live while the counts moved
  calls_seen_ += totals.calls;
  calls_lost_ += totals.lost;
  threads_.rows().add_calls(thread.index, thread.tree.first_key(), totals.calls);
  return all;
}

void InlineMaster::clear() noexcept {
  tree_.clear();
  run_.master.calls = run_.lost = 0;
  calls_seen_ = calls_lost_ = 0;
}

void InlineMaster::add_lost(std::uint64_t calls) noexcept {
  calls_seen_ += calls;
  calls_lost_ += calls;
  run_.lost += calls;
}

void InlineMaster::merge_recursion() noexcept {
  run_.master.rewrite([&] { tree_.merge_recursion(); });
}

}  // namespace copse::cct
