#include "report/model/pre_order.h"

#include <utility>

namespace copse::report {

std::vector<PlacedNode> pre_order(std::span<const std::uint32_t> parents,
                                  std::span<const std::uint32_t> siblings) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  // Children of each as a list, the first one in front; those of ROOT are the last list.
  std::vector<std::uint32_t> first(parents.size() + 1, kNone), next(parents.size(), kNone);
  for (std::size_t i = siblings.size(); i-- > 0;) {
    const std::uint32_t node = siblings[i];
    std::uint32_t& head = parents[node] == kBelowRoot ? first.back() : first[parents[node]];
    next[node] = std::exchange(head, node);
  }
  std::vector<PlacedNode> placed;
  placed.reserve(siblings.size());
  std::vector<PlacedNode> open;  // to come, each with all siblings behind it
  if (first.back() != kNone) open.push_back({first.back(), 0, 1});
  while (!open.empty()) {
    const PlacedNode at = open.back();
    open.pop_back();
    placed.push_back(at);
    if (next[at.node] != kNone) open.push_back({next[at.node], at.parent, at.depth});
    const auto row = static_cast<std::int32_t>(placed.size());
    if (first[at.node] != kNone) open.push_back({first[at.node], row, at.depth + 1});
  }
  return placed;
}

}  // namespace copse::report
