// The call graph that static schemes get before the run: edges with the number of times they were
// taken.
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

  // Adds the edge or, when known, adds to its calls. Returns true when the edge is new.
  bool add(EdgeKey edge, std::uint64_t calls = 1);

  // Returns the graph, in the same order, without the methods for which `withheld` returns true: a
  // static analysis sees this of a program that loads these methods later. ROOT cannot be withheld.
  CallGraph without(const std::function<bool(MethodId)>& withheld) const;

  const std::vector<Edge>& edges() const noexcept { return edges_; }
  // Returns the index into edges(); -1 means none.
  std::int64_t find(EdgeKey edge) const noexcept;
  bool contains(MethodId method) const noexcept;
  // Returns one more than the largest method id; at least 1.
  std::uint32_t method_limit() const noexcept { return static_cast<std::uint32_t>(known_.size()); }
  std::uint64_t bytes() const noexcept;

  // Writes methods as a bit set, so that a reader allocates for them in proportion to the bytes.
  void save(wire::StateWriter& out) const;
  void load(wire::StateReader& in);  // into an empty graph

 private:
  std::vector<Edge> edges_;
  FlatMap<EdgeKey, std::uint32_t> index_;
  std::vector<std::uint8_t> known_ = {1};  // by method
};

// Edge indices grouped by caller or by callee, each group in edge order. Cut edges (by index; empty means none) are in no
// group.
class EdgeGroups {
 public:
  enum class By { kCaller, kCallee };
  EdgeGroups(const CallGraph& graph, By by, const std::vector<bool>& cut = {});

  std::span<const std::uint32_t> of(MethodId method) const noexcept {
    const std::uint32_t i = raw(method);
    return {edges_.data() + starts_[i], starts_[i + 1] - starts_[i]};
  }

 private:
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> edges_;
};

// Returns, by edge index, true for edges that close a cycle in a depth-first search from ROOT, and
// then from each method not yet reached. Without these edges the graph is acyclic.
std::vector<bool> find_back_edges(const CallGraph& graph);

// Returns all methods below method_limit(), callers before callees along edges that are not cut;
// among ready methods the smallest id comes first. REQUIRES: the graph without the cut edges is
// acyclic.
std::vector<MethodId> topological_order(const CallGraph& graph, const std::vector<bool>& cut);

// Returns, by method, true if a path of edges leads to it from ROOT.
std::vector<bool> methods_reached_from_root(const CallGraph& graph);

}  // namespace copse::graph
