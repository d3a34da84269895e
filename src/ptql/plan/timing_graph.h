// The order of the events of an answer. Nodes are the START and the END of each identifier; an edge
// a -> b says that a happens before b in every answer, or, where it is weak, not after b.
//
// Weak edges come from ties alone: one record may stand in two places of an answer, and then has
// one END for both.
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

enum class Order : std::uint8_t { kUnknown, kNotAfter, kBefore };  // the stronger, the greater

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
  // Adds the edge or makes it stronger; whether that changed anything.
  bool add(Node from, Node to, Order order);
  void remove(Node from, Node to) { edges_[index(from) * size_ + index(to)] = Order::kUnknown; }
  // Whether there is a path, which may be of length 0. Of a closed graph.
  bool reaches(Node from, Node to) const {
    return from == to || order(from, to) != Order::kUnknown;
  }
  // Of a closed graph: something would have to happen before itself.
  bool has_cycle() const;
  // In order of their nodes.
  std::vector<TimingEdge> edges() const;
  std::vector<Node> nodes() const;

  friend bool operator==(const TimingGraph&, const TimingGraph&) = default;

 private:
  static std::size_t index(Node node) { return 2 * node.identifier + (node.end ? 1 : 0); }

  std::size_t size_;
  std::vector<Order> edges_;
};

// What is known of any run.
struct TimingRules {
  IdentifierSet identifiers = 0;  // those the graph is about; others have no edges
  // same_thread[x]: methods that run in the thread of the method x in every answer.
  std::vector<IdentifierSet> same_thread;
};

// Adds what follows: through transitivity; a START is before its END; of two methods of one thread,
// of which the second starts while the first runs, the second ends first. To a fixpoint.
TimingGraph closed(TimingGraph graph, const TimingRules& rules);

// A smallest graph with the closure `full`. Edges of `kept` stay. Edges between ENDs are tried
// first, then those from a START to its own END, then the others, first of all those that do not
// touch `preferred`: this order finds post-dominators that others miss.
TimingGraph unclosed(const TimingGraph& full, const TimingRules& rules, const TimingGraph& kept,
                     IdentifierSet preferred);

}  // namespace copse::ptql
