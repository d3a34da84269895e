// Checks a tree kept within a bound against the tree without one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/call_record.h"
#include "cct/cct.h"

namespace copse::test {

// Adds one thread's records by the definitions. All frames must be known.
inline void add_stream(cct::Cct& truth, std::span<const CallRecord> stream) {
  std::vector<std::uint32_t> frames{0};
  for (const CallRecord record : stream) {
    frames.resize(depth_of(record) + 1);
    frames.push_back(truth.child(frames.back(), key_of(record)));
    truth.add_calls(frames.back(), 1);
  }
}

// Returns the rule that does not hold, or "". Kept contexts are contexts of the truth and have at most their calls;
// calls that a subtree lacks are in nodes of evicted contexts above it; ROOT lacks none.
inline std::string eviction_mistake(const cct::ContextTree& tree, const cct::Cct& truth) {
  const std::uint32_t count = tree.node_count();
  std::vector<std::uint64_t> inclusive(count), true_inclusive(truth.node_count());
  const auto sum_up = [](const cct::ContextTree& of, std::vector<std::uint64_t>& sums) {
    for (std::uint32_t i = of.node_count(); i-- > 0;) {
      const cct::ContextNode node = of.node(NodeIndex{i});
      sums[i] += node.calls;
      if (i != 0) sums[raw(node.parent)] += sums[i];
    }
  };
  sum_up(tree, inclusive);
  sum_up(truth, true_inclusive);
  if (inclusive[0] != true_inclusive[0]) {
    return "ROOT has " + std::to_string(inclusive[0]) + " calls, not " +
           std::to_string(true_inclusive[0]);
  }
  std::vector<std::uint64_t> own_evicted(count);  // calls that were evicted from below a node
  std::uint64_t evicted = 0;
  for (std::uint32_t i = 1; i < count; ++i) {
    const cct::ContextNode node = tree.node(NodeIndex{i});
    if (node.key != kEvictedKey) continue;
    if (own_evicted[raw(node.parent)] != 0) return "a node has two children of evicted contexts";
    if (node.calls == 0) return "a node of evicted contexts has no calls";
    own_evicted[raw(node.parent)] = node.calls;
    evicted += node.calls;
  }
  if (evicted != tree.evicted().calls) return "evicted calls are not those that are said to be";
  std::vector<std::uint32_t> in_truth(count);
  std::vector<std::uint64_t> evicted_above(count);
  for (std::uint32_t i = 1; i < count; ++i) {
    const cct::ContextNode node = tree.node(NodeIndex{i});
    const std::uint32_t parent = raw(node.parent);
    evicted_above[i] = evicted_above[parent] + own_evicted[parent];
    if (node.key == kEvictedKey) continue;
    in_truth[i] = truth.find(in_truth[parent], node.key);
    const std::string where = "node " + std::to_string(i);
    if (in_truth[i] == 0) return where + " is no context of the truth";
    if (node.calls > truth.calls(in_truth[i])) return where + " has calls that were not made";
    const std::uint64_t all = true_inclusive[in_truth[i]];
    if (inclusive[i] > all || inclusive[i] + evicted_above[i] < all) {
      return where + " has " + std::to_string(inclusive[i]) + " inclusive calls of " +
             std::to_string(all) + ", and " + std::to_string(evicted_above[i]) +
             " are evicted above it";
    }
  }
  return "";
}

}  // namespace copse::test
