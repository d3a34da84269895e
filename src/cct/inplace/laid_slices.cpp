#include "cct/inplace/laid_slices.h"

#include <algorithm>
#include <utility>

namespace copse::cct {
namespace {

std::uint32_t node_at(const std::vector<ContextKey>& path, const Cct& tree) {
  std::uint32_t node = raw(kRootNode);
  for (const ContextKey key : path) node = tree.find_callee(node, key);
  return node;
}

void lay(const std::vector<ContextKey>& base, const std::vector<ContextNode>& nodes,
         const Cct& tree, LaidSlice& laid) {
  std::vector<std::uint32_t> theirs = {node_at(base, tree)};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const ContextNode& node = nodes[i];
    if (i != 0) theirs.push_back(tree.find_callee(theirs[raw(node.parent)], node.key));
    if (node.calls == 0) continue;
    if (theirs[i] == Cct::kOverflowNode) {
      laid.calls_left_out += node.calls;
    } else {
      laid.contexts.push_back({NodeIndex{theirs[i]}, node.calls});
    }
  }
}

LaidSlice laid(const KeptSlice& kept, const Cct& tree) {
  const Slice& slice = *kept.slice;
  LaidSlice laid;
  laid.slice = kept.slice;
  laid.as = kept.as;
  laid.calls_left_out = slice.calls_left_out;
  lay(slice.base, slice.nodes, tree, laid);
  for (const TaskTree& tasks : slice.tasks) lay(tasks.base, tasks.parts.front(), tree, laid);
  for (const HandedOver& handed : slice.handed_over) {
    const std::uint32_t at = node_at(handed.at, tree);
    if (handed.tasks == 0) continue;
    laid.tasks.push_back(
        {at == Cct::kOverflowNode ? kRootNode : NodeIndex{at}, handed.tasks, handed.calls});
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
