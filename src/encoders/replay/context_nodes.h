// Nodes of an encoder's calling context tree: one per distinct (parent, edge), found through one hash table, parents
// before children. Node 0 is ROOT.
//
//   offset size field
//        0    8 edge        how the parent reached this node
//        8    4 parent
//       12    4 last_child  the child asked for last: answers most look-ups without the table
#pragma once

#include <cstdint>
#include <vector>

#include "base/call_path.h"
#include "base/flat_map.h"
#include "base/status.h"
#include "base/wire/state_io.h"
#include "encoders/scheme/memory_use.h"

namespace copse::encoders {

struct ContextTreeNode {
  EdgeKey edge = kNoEdge;
  std::uint32_t parent = 0;
  std::uint32_t last_child = 0;
};
static_assert(sizeof(ContextTreeNode) == 16);

class ContextNodes {
 public:
  ContextNodes() : nodes_(1), table_(64) {}

  // Returns the child of `parent` along `edge`, made on first use.
  std::uint32_t child(std::uint32_t parent, EdgeKey edge) {
    const std::uint32_t last = nodes_[parent].last_child;
    if (last != 0 && nodes_[last].edge == edge) [[likely]]
      return last;
    const std::uint32_t found = find_or_make(parent, edge);
    nodes_[parent].last_child = found;
    return found;
  }

  const ContextTreeNode& operator[](std::uint32_t node) const noexcept { return nodes_[node]; }
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(nodes_.size()); }
  Result<CallPath> path(std::uint64_t node) const;
  void save(wire::StateWriter& out) const { wire::put_parent_tree(out, nodes_); }
  void load(wire::StateReader& in) { wire::take_parent_tree(in, nodes_); }  // for path() only
  std::uint64_t bytes() const noexcept { return allocated_bytes(nodes_) + allocated_bytes(table_); }

 private:
  std::uint32_t find_or_make(std::uint32_t parent, EdgeKey edge);
  std::size_t slot_of(std::uint32_t parent, EdgeKey edge) const noexcept;
  void grow();

  std::vector<ContextTreeNode> nodes_;
  std::vector<std::uint32_t> table_;  // node indices, 0 is free; at most two thirds full
};

}  // namespace copse::encoders
