#include "cct/inplace/laid_slices.h"

#include <algorithm>
#include <utility>

namespace copse::cct {
namespace {

LaidSlice laid(const KeptSlice& kept, const Cct& tree) {
  const Slice& slice = *kept.slice;
  LaidSlice laid;
  laid.slice = kept.slice;
  laid.as = kept.as;
  laid.calls_left_out = slice.calls_left_out;
  std::uint32_t top = raw(kRootNode);
  for (const ContextKey key : slice.base) top = tree.find_callee(top, key);
  std::vector<std::uint32_t> theirs = {top};
  for (std::size_t i = 0; i < slice.nodes.size(); ++i) {
    const ContextNode& node = slice.nodes[i];
    if (i != 0) theirs.push_back(tree.find_callee(theirs[raw(node.parent)], node.key));
    if (node.calls == 0) continue;
    if (theirs[i] == Cct::kOverflowNode) {
      laid.calls_left_out += node.calls;
    } else {
      laid.contexts.push_back({NodeIndex{theirs[i]}, node.calls});
    }
  }
  std::ranges::sort(laid.contexts, {}, &LaidSlice::Context::node);
  std::size_t last = 0;
  for (std::size_t i = 1; i < laid.contexts.size(); ++i) {
    if (laid.contexts[last].node == laid.contexts[i].node) {
      laid.contexts[last].calls += laid.contexts[i].calls;
    } else {
      laid.contexts[++last] = laid.contexts[i];
    }
  }
  laid.contexts.resize(std::min(laid.contexts.size(), last + 1));
  return laid;
}

}  // namespace

LaidSlices lay_slices(SlicesSoFar slices, const Cct& tree) {
  LaidSlices all;
  for (const KeptSlice& kept : slices.kept) all.kept.push_back(laid(kept, tree));
  slices.kept.clear();
  all.so_far = std::move(slices);
  return all;
}

}  // namespace copse::cct
