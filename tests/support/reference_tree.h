// The truth about a call stream: the plainest possible tree, built from the definitions alone, and
// the canonical text in which trees are compared and golden files are written.
//
// One line per node in pre-order, children ordered by method, then site:
//   <depth> <method>@<site> <calls>
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/call_record.h"
#include "cct/context_tree.h"

namespace copse::test {

struct ReferenceOptions {
  bool sites = true;
  bool merge_recursion = false;    // all methods
  std::set<MethodId> merged = {};  // these methods
  std::uint64_t event_every = 0;   // 0: every call counts
  std::uint64_t begins_at = 0;     // number of the first call that counts
};

class ReferenceTree {
 public:
  // Adds one thread's records.
  void add(std::span<const CallRecord> stream, const ReferenceOptions& options = {}) {
    std::vector<std::optional<std::size_t>> frames;  // nullopt: a frame that was not recorded
    std::uint64_t number = 0;
    for (const CallRecord record : stream) {
      const std::uint32_t depth = depth_of(record);
      frames.resize(depth);
      std::size_t above = 0;
      for (std::size_t i = depth; i-- > 0;) {
        if (frames[i]) {
          above = *frames[i];
          break;
        }
      }
      const bool counts = number++ >= options.begins_at;
      const bool caller_known = depth == 0 || frames.back().has_value();
      const bool with_site = options.sites && caller_known;
      const std::size_t node =
          place(above, with_site ? key_of(record) : record & kMethodMask,
                options.merge_recursion || options.merged.contains(method_of(record)));
      frames.emplace_back(node);
      const bool is_event = options.event_every == 0 || number % options.event_every == 0;
      if (counts && is_event) ++nodes_[node].calls;
    }
  }

  // `all` false: only nodes that count calls, and their ancestors.
  std::string text(bool all = true) const {
    std::vector<bool> shown(nodes_.size(), all);
    for (std::size_t i = nodes_.size(); i-- > 1;) {
      if (nodes_[i].calls != 0 || shown[i]) shown[i] = shown[nodes_[i].parent] = true;
    }
    std::string out;
    std::vector<std::pair<std::size_t, int>> todo{{0, -1}};
    while (!todo.empty()) {
      const auto [node, depth] = todo.back();
      todo.pop_back();
      if (node != 0) out += line(depth, nodes_[node].key, nodes_[node].calls);
      for (auto child = nodes_[node].children.rbegin(); child != nodes_[node].children.rend();
           ++child) {
        if (shown[child->second]) todo.emplace_back(child->second, depth + 1);
      }
    }
    return out;
  }

  static std::string line(int depth, ContextKey key, std::uint64_t calls) {
    return std::to_string(depth) + " " + std::to_string(raw(method_of(key))) + "@" +
           std::to_string(raw(site_of(key))) + " " + std::to_string(calls) + "\n";
  }
  static std::pair<std::uint32_t, std::uint16_t> order(ContextKey key) {
    return {raw(method_of(key)), raw(site_of(key))};
  }

 private:
  struct Node {
    std::size_t parent = 0;
    ContextKey key = 0;
    std::uint64_t calls = 0;
    std::map<std::pair<std::uint32_t, std::uint16_t>, std::size_t> children;
  };

  std::size_t place(std::size_t above, ContextKey key, bool merge_recursion) {
    if (merge_recursion) {
      for (std::size_t node = above; node != 0; node = nodes_[node].parent) {
        if (method_of(nodes_[node].key) == method_of(key)) return node;
      }
    }
    const auto known = nodes_[above].children.find(order(key));
    if (known != nodes_[above].children.end()) return known->second;
    nodes_.push_back({above, key, 0, {}});
    nodes_[above].children.emplace(order(key), nodes_.size() - 1);
    return nodes_.size() - 1;
  }

  std::vector<Node> nodes_{1};
};

inline std::string tree_text(const cct::ContextTree& tree) {
  std::vector<std::vector<std::uint32_t>> children(tree.node_count());
  for (std::uint32_t i = 1; i < tree.node_count(); ++i) {
    children[raw(tree.node(NodeIndex{i}).parent)].push_back(i);
  }
  std::string out;
  std::vector<std::pair<std::uint32_t, int>> todo{{0, -1}};
  while (!todo.empty()) {
    const auto [index, depth] = todo.back();
    todo.pop_back();
    const cct::ContextNode node = tree.node(NodeIndex{index});
    if (index != 0) out += ReferenceTree::line(depth, node.key, node.calls);
    std::vector<std::uint32_t>& list = children[index];
    std::sort(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) {
      return ReferenceTree::order(tree.node(NodeIndex{a}).key) >
             ReferenceTree::order(tree.node(NodeIndex{b}).key);
    });
    for (const std::uint32_t child : list) todo.emplace_back(child, depth + 1);
  }
  return out;
}

}  // namespace copse::test
