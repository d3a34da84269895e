// The call graph static schemes are given before the run: edges with how often they were taken.
//
// ROOT is method 0; its edges lead to the thread entries. Edges keep the order in which they were
// first added, and every numbering follows that order, so equal input gives equal codes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/call_path.h"
#include "base/flat_map.h"
#include "base/wire/state_io.h"

namespace copse::graph {

class CallGraph {
 public:
  struct Edge {
    EdgeKey key;
    std::uint64_t calls;
  };

  // Adds the edge or, when known, adds to its calls. True when the edge is new.
  bool add(EdgeKey edge, std::uint64_t calls = 1);

  // The same graph without the methods for which `withheld` holds, in the same order: what a
  // static analysis sees of a program that loads these methods later. ROOT cannot be withheld.
  CallGraph without(const std::function<bool(MethodId)>& withheld) const;

  const std::vector<Edge>& edges() const noexcept { return edges_; }
  // Index into edges(), or -1.
  std::int64_t find(EdgeKey edge) const noexcept;
  bool contains(MethodId method) const noexcept;
  // One more than the largest method id; at least 1.
  std::uint32_t method_limit() const noexcept { return static_cast<std::uint32_t>(known_.size()); }
  std::uint64_t bytes() const noexcept;

  // Methods as a bit set, so that a reader allocates for them in proportion to the bytes.
  void save(wire::StateWriter& out) const;
  void load(wire::StateReader& in);  // into an empty graph

 private:
  std::vector<Edge> edges_;
  FlatMap<EdgeKey, std::uint32_t> index_;
  std::vector<std::uint8_t> known_ = {1};  // by method
};

// Edge indices grouped by caller or by callee, each group in edge order.
class EdgeGroups {
 public:
  enum class By { kCaller, kCallee };
  EdgeGroups(const CallGraph& graph, By by);

  std::span<const std::uint32_t> of(MethodId method) const noexcept {
    const std::uint32_t i = raw(method);
    return {edges_.data() + starts_[i], starts_[i + 1] - starts_[i]};
  }

 private:
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> edges_;
};

// By edge index: true for edges that close a cycle in a depth-first search from ROOT (and then
// from each method not yet reached). Without them the graph is acyclic.
std::vector<bool> find_back_edges(const CallGraph& graph);

// All methods below method_limit(), callers before callees along edges that are not cut; among
// ready methods the smallest id first. The graph without the cut edges must be acyclic.
std::vector<MethodId> topological_order(const CallGraph& graph, const std::vector<bool>& cut);

// By method: whether some path of edges leads to it from ROOT.
std::vector<bool> methods_reached_from_root(const CallGraph& graph);

}  // namespace copse::graph
