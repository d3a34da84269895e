#include "cct/tree_check.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace copse::cct {

Status check_invariants(const ContextTree& tree) {
  if (tree.node_count() == 0) return Status::error(Fault::kInternal, "context tree: no ROOT");
  const ContextNode root = tree.node(kRootNode);
  if (root.parent != kRootNode || root.key != 0 || root.calls != 0) {
    return Status::error(Fault::kInternal, "context tree: node 0 is not ROOT");
  }
  std::vector<std::pair<std::uint32_t, ContextKey>> siblings;
  siblings.reserve(tree.node_count());
  for (std::uint32_t i = 1; i < tree.node_count(); ++i) {
    const ContextNode node = tree.node(NodeIndex{i});
    const auto complain = [i](const char* why) {
      return Status::error(Fault::kInternal, "context tree: node " + std::to_string(i) + " " + why);
    };
    if (raw(node.parent) >= i) return complain("comes before its parent");
    if (method_of(node.key) == kNoMethod && node.key != kEvictedKey)
      return complain("has no method");
    if (tree.node(node.parent).key == kEvictedKey) return complain("hangs below evicted contexts");
    if ((node.key & ~kKeyMask) != 0) return complain("has a key with a depth");
    siblings.emplace_back(raw(node.parent), node.key);
  }
  std::sort(siblings.begin(), siblings.end());
  const auto twin = std::adjacent_find(siblings.begin(), siblings.end());
  if (twin != siblings.end()) {
    return Status::error(Fault::kInternal, "context tree: node " + std::to_string(twin->first) +
                                               " has two children of one key");
  }
  return {};
}

std::uint64_t total_calls(const ContextTree& tree) noexcept {
  std::uint64_t calls = 0;
  for (std::uint32_t i = 1; i < tree.node_count(); ++i) calls += tree.node(NodeIndex{i}).calls;
  return calls;
}

}  // namespace copse::cct
