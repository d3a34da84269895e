#include "ptql/plan/timing_graph.h"

#include <algorithm>
#include <tuple>

namespace copse::ptql {

TimingGraph::TimingGraph(std::size_t identifiers)
    : size_(2 * identifiers), edges_(size_ * size_, Order::kUnknown) {}

bool TimingGraph::add(Node from, Node to, Order order) {
  if (from == to && order != Order::kBefore) return false;
  Order& known = edges_[index(from) * size_ + index(to)];
  if (known >= order) return false;
  known = order;
  return true;
}

bool TimingGraph::has_cycle() const {
  const std::vector<Node> all = nodes();
  return std::any_of(all.begin(), all.end(),
                     [this](Node node) { return order(node, node) == Order::kBefore; });
}

std::vector<Node> TimingGraph::nodes() const {
  std::vector<Node> all;
  for (std::uint32_t i = 0; i < identifiers(); ++i) {
    all.push_back({i, false});
    all.push_back({i, true});
  }
  return all;
}

std::vector<TimingEdge> TimingGraph::edges() const {
  std::vector<TimingEdge> all;
  for (const Node from : nodes()) {
    for (const Node to : nodes()) {
      if (order(from, to) != Order::kUnknown) all.push_back({from, to, order(from, to)});
    }
  }
  return all;
}

TimingGraph closed(TimingGraph graph, const TimingRules& rules) {
  std::vector<Node> nodes = graph.nodes();
  std::erase_if(nodes,
                [&rules](Node node) { return (rules.identifiers & set_of(node.identifier)) == 0; });
  for (const Node node : nodes) {
    if (!node.end) graph.add(node, {node.identifier, true}, Order::kBefore);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Node middle : nodes) {
      for (const Node from : nodes) {
        const Order first = graph.order(from, middle);
        if (first == Order::kUnknown) continue;
        for (const Node to : nodes) {
          const Order second = graph.order(middle, to);
          if (second != Order::kUnknown) changed |= graph.add(from, to, std::max(first, second));
        }
      }
    }
    for (const Node outer : nodes) {
      for (const Node inner : nodes) {
        if (!outer.end || !inner.end || outer == inner) continue;
        if ((rules.same_thread[outer.identifier] & set_of(inner.identifier)) == 0) continue;
        const Node outer_start{outer.identifier, false};
        const Node inner_start{inner.identifier, false};
        if (graph.order(outer_start, inner_start) == Order::kBefore &&
            graph.order(inner_start, outer) == Order::kBefore) {
          changed |= graph.add(inner, outer, Order::kBefore);
        }
      }
    }
  }
  return graph;
}

TimingGraph unclosed(const TimingGraph& full, const TimingRules& rules, const TimingGraph& kept,
                     IdentifierSet preferred) {
  std::vector<TimingEdge> tried;
  for (const TimingEdge& edge : full.edges()) {
    if (kept.order(edge.from, edge.to) != edge.order) tried.push_back(edge);
  }
  const auto rank = [preferred](const TimingEdge& edge) {
    const IdentifierSet touched = set_of(edge.from.identifier) | set_of(edge.to.identifier);
    const int kind = edge.from.end && edge.to.end                 ? 0
                     : edge.from.identifier == edge.to.identifier ? 1
                                                                  : 2;
    return std::tuple((touched & preferred) != 0, kind);
  };
  std::stable_sort(tried.begin(), tried.end(),
                   [&rank](const TimingEdge& a, const TimingEdge& b) { return rank(a) < rank(b); });
  TimingGraph graph = full;
  for (const TimingEdge& edge : tried) {
    TimingGraph without = graph;
    without.remove(edge.from, edge.to);
    if (closed(without, rules) == full) graph = std::move(without);
  }
  return graph;
}

}  // namespace copse::ptql
