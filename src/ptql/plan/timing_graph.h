// Order of the events of an answer. Nodes are the START and the END of each identifier. An edge a -> b says that a
// happens before b in every answer or, if it is weak, not after b.
//
// Weak edges come from ties only: one record may take two places of an answer, and both have its END.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ptql/language/query.h"

namespace copse::ptql {

struct Node {
  std::uint32_t identifier;
  bool end;
  friend auto operator<=>(const Node&, const Node&) = default;
};

// a stronger order has a greater value
enum class Order : std::uint8_t { kUnknown, kNotAfter, kBefore };

struct TimingEdge {
  Node from;
  Node to;
  Order order;
};

class TimingGraph {
 public:
  explicit TimingGraph(std::size_t identifiers);

  std::size_t identifiers() const noexcept { return size_ / 2; }
  Order order(Node from, Node to) const { return edges_[index(from) * size_ + index(to)]; }
  // Adds or strengthens the edge; returns true if the graph changed.
  bool add(Node from, Node to, Order order);
  void remove(Node from, Node to) { edges_[index(from) * size_ + index(to)] = Order::kUnknown; }
  // Returns true if there is a path, which may have length 0. REQUIRES: the graph is closed.
  bool reaches(Node from, Node to) const {
    return from == to || order(from, to) != Order::kUnknown;
  }
  // Returns true if an event would have to precede itself. REQUIRES: the graph is closed.
  bool has_cycle() const;
  // Returns the edges, ordered by their nodes.
  std::vector<TimingEdge> edges() const;
  std::vector<Node> nodes() const;

  friend bool operator==(const TimingGraph&, const TimingGraph&) = default;

 private:
  static std::size_t index(Node node) { return 2 * node.identifier + (node.end ? 1 : 0); }

  std::size_t size_;
  std::vector<Order> edges_;
};

// Facts that hold in any run.
struct TimingRules {
  IdentifierSet identifiers = 0;  // identifiers that the graph is about; others have no edges
  // same_thread[x]: methods that run in the thread of method x in every answer.
  std::vector<IdentifierSet> same_thread;
};

// Adds the implied edges, to a fixpoint: transitivity; a START is before its END; of two methods of one thread, the
// second ends first if it starts while the first runs.
TimingGraph closed(TimingGraph graph, const TimingRules& rules);

// Returns a smallest graph with the closure `full`. Keeps the edges of `kept`. Tries to remove edges between ENDs
// first, then edges from a START to its own END, then the others; in each group, edges that do not touch `preferred`
// first. This order finds post-dominators that other orders miss.
TimingGraph unclosed(const TimingGraph& full, const TimingRules& rules, const TimingGraph& kept,
                     IdentifierSet preferred);

}  // namespace copse::ptql
