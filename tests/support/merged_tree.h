// Checks a tree with merged recursion against its calls.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

#include "cct/context_tree.h"
#include "support/call_streams.h"
#include "support/reference_tree.h"

namespace copse::test {

// Expects the true tree with the same methods merged, if they were chosen at once. If more were added
// later, expects every method's calls, and no merged method twice on a path.
inline void expect_merge_of(const std::vector<CallStream>& streams, const cct::ContextTree& tree) {
  const cct::MergedRecursion merged = tree.merged();
  const std::set<MethodId> methods(merged.methods.begin(), merged.methods.end());
  if (merged.times <= 1) {
    ReferenceTree truth;
    for (const CallStream& stream : streams)
      truth.add(stream, {.merge_recursion = merged.all, .merged = methods});
    EXPECT_EQ(tree_text(tree), truth.text());
    return;
  }
  std::map<MethodId, std::uint64_t> left;
  for (const CallStream& stream : streams) {
    for (const CallRecord record : stream) ++left[method_of(record)];
  }
  for (std::uint32_t i = 1; i < tree.node_count(); ++i) {
    const cct::ContextNode node = tree.node(NodeIndex{i});
    left[method_of(node.key)] -= node.calls;
    if (!merged.all && !methods.contains(method_of(node.key))) continue;
    for (NodeIndex up = node.parent; up != kRootNode; up = tree.node(up).parent) {
      EXPECT_NE(method_of(tree.node(up).key), method_of(node.key));
    }
  }
  for (const auto& [method, calls] : left) EXPECT_EQ(calls, 0u) << raw(method);
}

}  // namespace copse::test
