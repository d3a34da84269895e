// The order of a report's nodes, for nodes that come in any other.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace copse::report {

inline constexpr std::uint32_t kBelowRoot = std::numeric_limits<std::uint32_t>::max();

struct PlacedNode {
  std::uint32_t node;
  std::int32_t parent;  // row of its parent; 0 is ROOT
  std::uint32_t depth;  // those below ROOT at 1
};

// Row i + 1 of a report is item i. `parents`: by node, or kBelowRoot. `siblings`: the nodes that are
// wanted, so that children of one node stand as they shall be ordered. What hangs below a node that is
// not wanted, or in a circle, is not in the result. Cost: linear; nothing recurses.
std::vector<PlacedNode> pre_order(std::span<const std::uint32_t> parents,
                                  std::span<const std::uint32_t> siblings);

}  // namespace copse::report
