// Puts nodes of any order into the order of a report's nodes.
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
  std::uint32_t depth;  // 1 below ROOT
};

// Returns the nodes in pre-order: item i is row i + 1 of a report. `parents`: by node, or
// kBelowRoot. `siblings`: the wanted nodes, with children of one node in their final order. The
// result leaves out nodes below an unwanted node or in a cycle. Cost: linear; no recursion.
std::vector<PlacedNode> pre_order(std::span<const std::uint32_t> parents,
                                  std::span<const std::uint32_t> siblings);

}  // namespace copse::report
