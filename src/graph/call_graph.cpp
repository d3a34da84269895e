#include "graph/call_graph.h"

#include <algorithm>
#include <bit>
#include <queue>

namespace copse::graph {

bool CallGraph::add(EdgeKey edge, std::uint64_t calls) {
  std::uint32_t& position = index_[edge];  // one past the index, 0 when new
  if (position != 0) {
    edges_[position - 1].calls += calls;
    return false;
  }
  edges_.push_back({edge, calls});
  position = static_cast<std::uint32_t>(edges_.size());
  const std::uint32_t last = std::max(raw(caller_of(edge)), raw(callee_of(edge)));
  if (last >= known_.size()) known_.resize(last + 1);
  known_[raw(caller_of(edge))] = 1;
  known_[raw(callee_of(edge))] = 1;
  return true;
}

CallGraph CallGraph::without(const std::function<bool(MethodId)>& withheld) const {
  const auto hidden = [&](MethodId method) { return method != kRootMethod && withheld(method); };
  CallGraph rest;
  for (const Edge& edge : edges_) {
    if (hidden(caller_of(edge.key)) || hidden(callee_of(edge.key))) continue;
    rest.add(edge.key, edge.calls);
  }
  // A method that lost all its edges is still part of the program the analysis sees.
  if (rest.known_.size() < known_.size()) rest.known_.resize(known_.size());
  for (std::uint32_t i = 1; i < known_.size(); ++i) {
    if (known_[i] && !hidden(MethodId{i})) rest.known_[i] = 1;
  }
  return rest;
}

std::int64_t CallGraph::find(EdgeKey edge) const noexcept {
  const std::uint32_t* position = index_.find(edge);
  return position ? std::int64_t{*position} - 1 : -1;
}

bool CallGraph::contains(MethodId method) const noexcept {
  return raw(method) < known_.size() && known_[raw(method)];
}

std::uint64_t CallGraph::bytes() const noexcept {
  return edges_.capacity() * sizeof(Edge) + index_.bytes() + known_.capacity();
}

void CallGraph::save(wire::StateWriter& out) const {
  out.number((known_.size() + 7) / 8);
  for (std::size_t first = 0; first < known_.size(); first += 8) {
    std::uint32_t bits = 0;
    for (std::size_t i = first; i < std::min(first + 8, known_.size()); ++i) {
      bits |= std::uint32_t{known_[i]} << (i - first);
    }
    out.byte(static_cast<std::uint8_t>(bits));
  }
  out.number(edges_.size());
  for (const Edge& edge : edges_) {
    out.edge(edge.key);
    out.number(edge.calls);
  }
}

void CallGraph::load(wire::StateReader& in) {
  const std::size_t byte_count = in.count(1);
  if (byte_count > (kMaxMethodId + 1) / 8) in.fail("there are too many methods");
  for (std::size_t first = 0; first < 8 * byte_count && in.ok(); first += 8) {
    const std::uint32_t bits = in.byte();
    if (bits == 0) continue;
    known_.resize(first + static_cast<std::size_t>(std::bit_width(bits)));
    for (std::size_t i = first; i < known_.size(); ++i) known_[i] = bits >> (i - first) & 1;
  }
  if (!known_[0]) in.fail("ROOT is missing");
  const std::size_t edge_count = in.count(4);
  edges_.reserve(edge_count);
  for (std::size_t e = 0; e < edge_count && in.ok(); ++e) {
    const EdgeKey edge = in.edge();
    if (!in.ok()) break;
    if (!contains(caller_of(edge)) || !contains(callee_of(edge))) {
      in.fail("an edge's method is not among the graph's");
    } else if (!add(edge, in.number())) {
      in.fail("an edge is there twice");
    }
  }
}

EdgeGroups::EdgeGroups(const CallGraph& graph, By by, const std::vector<bool>& cut)
    : starts_(graph.method_limit() + 1) {
  const auto each = [&](auto&& visit) {
    for (std::uint32_t e = 0; e < graph.edges().size(); ++e) {
      if (!cut.empty() && cut[e]) continue;
      const EdgeKey key = graph.edges()[e].key;
      visit(e, raw(by == By::kCaller ? caller_of(key) : callee_of(key)));
    }
  };
  each([&](std::uint32_t, std::uint32_t group) { ++starts_[group + 1]; });
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  edges_.resize(starts_.back());
  std::vector<std::uint32_t> next = starts_;
  each([&](std::uint32_t e, std::uint32_t group) { edges_[next[group]++] = e; });
}

std::vector<bool> find_back_edges(const CallGraph& graph) {
  enum class Mark : std::uint8_t { kNew, kOnPath, kDone };
  struct Visit {
    MethodId method;
    std::size_t next;
  };
  const EdgeGroups out(graph, EdgeGroups::By::kCaller);
  std::vector<bool> back(graph.edges().size());
  std::vector<Mark> marks(graph.method_limit(), Mark::kNew);
  std::vector<Visit> path;
  for (std::uint32_t start = 0; start < graph.method_limit(); ++start) {
    if (marks[start] != Mark::kNew) continue;
    marks[start] = Mark::kOnPath;
    path.push_back({MethodId{start}, 0});
    while (!path.empty()) {
      Visit& top = path.back();
      const auto edges = out.of(top.method);
      if (top.next == edges.size()) {
        marks[raw(top.method)] = Mark::kDone;
        path.pop_back();
        continue;
      }
      const std::uint32_t e = edges[top.next++];
      const MethodId callee = callee_of(graph.edges()[e].key);
      Mark& mark = marks[raw(callee)];
      if (mark == Mark::kOnPath) {
        back[e] = true;
      } else if (mark == Mark::kNew) {
        mark = Mark::kOnPath;
        path.push_back({callee, 0});
      }
    }
  }
  return back;
}

std::vector<MethodId> topological_order(const CallGraph& graph, const std::vector<bool>& cut) {
  const EdgeGroups out(graph, EdgeGroups::By::kCaller, cut);
  std::vector<std::uint32_t> pending(graph.method_limit());
  for (std::size_t e = 0; e < graph.edges().size(); ++e) {
    if (!cut[e]) ++pending[raw(callee_of(graph.edges()[e].key))];
  }
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t i = 0; i < graph.method_limit(); ++i) {
    if (pending[i] == 0) ready.push(i);
  }
  std::vector<MethodId> order;
  order.reserve(graph.method_limit());
  while (!ready.empty()) {
    const MethodId method{ready.top()};
    ready.pop();
    order.push_back(method);
    for (const std::uint32_t e : out.of(method)) {
      const std::uint32_t callee = raw(callee_of(graph.edges()[e].key));
      if (--pending[callee] == 0) ready.push(callee);
    }
  }
  return order;
}

std::vector<bool> methods_reached_from_root(const CallGraph& graph) {
  const EdgeGroups out(graph, EdgeGroups::By::kCaller);
  std::vector<bool> reached(graph.method_limit());
  std::vector<MethodId> pending = {kRootMethod};
  reached[0] = true;
  while (!pending.empty()) {
    const MethodId method = pending.back();
    pending.pop_back();
    for (const std::uint32_t e : out.of(method)) {
      const MethodId callee = callee_of(graph.edges()[e].key);
      if (reached[raw(callee)]) continue;
      reached[raw(callee)] = true;
      pending.push_back(callee);
    }
  }
  return reached;
}

}  // namespace copse::graph
