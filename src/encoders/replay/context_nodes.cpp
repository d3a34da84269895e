#include "encoders/replay/context_nodes.h"

#include <algorithm>
#include <string>

namespace copse::encoders {

std::size_t ContextNodes::slot_of(std::uint32_t parent, EdgeKey edge) const noexcept {
  const std::uint64_t hash = hash_of(PairKey{std::uint64_t{parent} + 1, raw(edge)});
  std::size_t slot = static_cast<std::size_t>(hash >> 32) & (table_.size() - 1);
  while (table_[slot] != 0) {
    const ContextTreeNode& node = nodes_[table_[slot]];
    if (node.parent == parent && node.edge == edge) break;
    slot = (slot + 1) & (table_.size() - 1);
  }
  return slot;
}

std::uint32_t ContextNodes::find_or_make(std::uint32_t parent, EdgeKey edge) {
  std::size_t slot = slot_of(parent, edge);
  if (table_[slot] != 0) return table_[slot];
  if (3 * nodes_.size() > 2 * table_.size()) {
    grow();
    slot = slot_of(parent, edge);
  }
  const auto made = static_cast<std::uint32_t>(nodes_.size());
  append_tightly(nodes_, ContextTreeNode{edge, parent, 0});
  table_[slot] = made;
  return made;
}

void ContextNodes::grow() {
  std::vector<std::uint32_t>(2 * table_.size()).swap(table_);
  for (std::uint32_t node = 1; node < nodes_.size(); ++node) {
    table_[slot_of(nodes_[node].parent, nodes_[node].edge)] = node;
  }
}

Result<CallPath> ContextNodes::path(std::uint64_t node) const {
  if (node >= nodes_.size()) {
    return Status::error(Fault::kNotFound, "context token: no node " + std::to_string(node));
  }
  CallPath path;
  for (auto i = static_cast<std::uint32_t>(node); i != 0; i = nodes_[i].parent) {
    path.push_back(nodes_[i].edge);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace copse::encoders
