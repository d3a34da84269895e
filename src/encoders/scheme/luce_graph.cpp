#include "encoders/scheme/luce_graph.h"

#include <algorithm>

#include "encoders/scheme/memory_use.h"

namespace copse::encoders {
namespace {

std::uint64_t sum_in_word(std::uint64_t a, std::uint64_t b) {
  return b > LuceGraph::kBeyondWord - a ? LuceGraph::kBeyondWord : a + b;
}

}  // namespace

LuceOptions LuceOptions::literal() {
  LuceOptions options;
  options.stores_additions = options.restores_pending = false;
  options.max_count = LuceGraph::kBeyondWord;
  return options;
}

LuceOptions LuceOptions::canonical() {
  LuceOptions options;
  options.canonical_version = true;
  return options;
}

const LuceHistory::Change* LuceHistory::at(std::uint64_t version) const noexcept {
  const auto after =
      std::upper_bound(changes_.begin(), changes_.end(), version,
                       [](std::uint64_t v, const Change& change) { return v < change.version; });
  return after == changes_.begin() ? nullptr : &*(after - 1);
}

void LuceHistory::set(std::uint64_t version, std::uint64_t value) {
  if (!changes_.empty() && changes_.back().version == version) {
    changes_.back().value = value;
  } else {
    changes_.push_back({version, value});
  }
}

// Versions as steps from one to the next.
void LuceHistory::save(wire::StateWriter& out) const {
  out.number(changes_.size());
  std::uint64_t last = 0;
  for (const Change& change : changes_) {
    out.number(change.version - last);
    out.number(change.value);
    last = change.version;
  }
}

void LuceHistory::load(wire::StateReader& in) {
  std::uint64_t last = 0;
  for (std::size_t left = in.count(2); left > 0 && in.ok(); --left) {
    const std::uint64_t step = in.number();
    if (step > ~last || (step == 0 && !changes_.empty())) in.fail("versions do not rise");
    last += step;
    changes_.push_back({last, in.number()});
  }
}

LuceGraph::LuceGraph(const LuceOptions& options) : options_(options), nodes_(1) {
  nodes_[0].count = 1;
}

LuceGraph::Node& LuceGraph::node(MethodId method) {
  if (raw(method) >= nodes_.size()) nodes_.resize(raw(method) + 1);
  return nodes_[raw(method)];
}

bool LuceGraph::limits_counts() const noexcept { return options_.max_count != kBeyondWord; }

std::uint64_t LuceGraph::count(MethodId method) const noexcept { return nodes_[raw(method)].count; }

std::uint64_t LuceGraph::count_at(MethodId method, std::uint64_t version) const {
  if (method == kRootMethod) return 1;
  const LuceHistory::Change* change = nodes_[raw(method)].counts.at(version);
  return change ? change->value : 0;
}

bool LuceGraph::update(EdgeKey edge, Code from, Code& to) {
  const MethodId caller = caller_of(edge);
  const MethodId callee = callee_of(edge);
  node(std::max(caller, callee));
  std::uint32_t& index = index_[edge];
  Node& target = nodes_[raw(callee)];
  if (limits_counts() && !target.frozen && (target.stale || index == 0)) {
    const std::uint64_t added = index == 0 ? count(caller) : 0;
    if (added > options_.max_count || would_overflow(target, options_.max_count - added)) {
      freeze(target);
    }
  }
  if (target.frozen && (index == 0 || from.code >= edges_[index - 1].width)) {
    to = {target.restart_code, options_.canonical_version ? target.shape_version : version_};
    largest_code_ = std::max(largest_code_, to.code);
    return false;
  }
  set_caller_version(caller, from.version);
  if (index == 0) add_edge(edge, index);
  if (target.stale && !target.frozen) renumber(callee);

  Step step;
  step.addition = addition_at(target, index - 1, version_);
  to.code = sum_in_word(from.code, step.addition);
  to.version = version_;
  if (options_.canonical_version) {
    to.version = std::max(target.shape_version, nodes_[raw(caller)].caller_version.last_version());
  }
  nodes_[raw(caller)].issued_version = to.version + 1;
  largest_code_ = std::max(largest_code_, to.code);
  return true;
}

void LuceGraph::set_caller_version(MethodId caller, std::uint64_t version) {
  Node& from = nodes_[raw(caller)];
  if (!from.caller_version.empty() && from.caller_version.last() == version) return;
  switch (options_.bump) {
    case LuceBump::kEveryChange:
      bump();
      break;
    case LuceBump::kIfIssued:
      if (from.issued_version == version_ + 1) bump();
      break;
    case LuceBump::kNeverForCallerVersion:
      break;
  }
  from.caller_version.set(version_, version);
  ++log_entries_;
}

void LuceGraph::add_edge(EdgeKey edge, std::uint32_t& index) {
  bump();
  edges_.push_back({edge, version_, 0, {}});
  index = static_cast<std::uint32_t>(edges_.size());
  Node& target = nodes_[raw(callee_of(edge))];
  target.in.push_back(index - 1);
  target.shape_version = version_;
  target.stale = true;
  Node& caller = nodes_[raw(caller_of(edge))];
  if (std::find(caller.callees.begin(), caller.callees.end(), callee_of(edge)) ==
      caller.callees.end()) {
    caller.callees.push_back(callee_of(edge));
  }
  ++log_entries_;
}

bool LuceGraph::would_overflow(const Node& target, std::uint64_t limit) const {
  std::uint64_t left = limit;
  for (const std::uint32_t e : target.in) {
    const std::uint64_t added = count(caller_of(edges_[e].key));
    if (added > left) return true;
    left -= added;
  }
  return false;
}

void LuceGraph::freeze(Node& target) {
  bump();
  target.frozen = true;
  ++frozen_methods_;
  target.restart_code = target.count;
  target.shape_version = target.frozen_version = version_;
  const auto self = static_cast<std::uint32_t>(&target - nodes_.data());
  set_count(MethodId{self}, target.count + 1);
}

void LuceGraph::renumber(MethodId method) {
  Node& target = nodes_[raw(method)];
  std::uint64_t total = 0;
  bool changed = false;
  for (const std::uint32_t e : target.in) {
    Edge& edge = edges_[e];
    if (options_.stores_additions && (edge.addition.empty() || edge.addition.last() != total)) {
      if (!changed) bump();
      changed = true;
      edge.addition.set(version_, total);
      ++log_entries_;
    }
    edge.width = count(caller_of(edge.key));
    total = sum_in_word(total, edge.width);
  }
  if (changed) target.shape_version = version_;
  target.stale = false;
  if (target.count != total) {
    bump();
    set_count(method, total);
  }
}

void LuceGraph::set_count(MethodId method, std::uint64_t count) {
  Node& counted = nodes_[raw(method)];
  counted.count = count;
  if (!options_.stores_additions) counted.counts.set(version_, count);
  ++log_entries_;
  for (const MethodId callee : counted.callees) nodes_[raw(callee)].stale = true;
}

std::uint64_t LuceGraph::addition_at(const Node& target, std::uint32_t edge,
                                     std::uint64_t version) const {
  if (options_.stores_additions) return edges_[edge].addition.last();
  std::uint64_t total = 0;
  for (const std::uint32_t e : target.in) {
    if (e == edge) break;
    total = sum_in_word(total, count_at(caller_of(edges_[e].key), version));
  }
  return total;
}

bool LuceGraph::previous(MethodId method, Code at, Step& step) const {
  if (raw(method) >= nodes_.size()) return false;
  const Node& target = nodes_[raw(method)];
  if (limits_counts() && at.code >= target.count) return false;
  if (target.frozen && at.code == target.restart_code && at.version >= target.frozen_version) {
    step = {};
    return true;
  }
  bool found = false;
  std::uint64_t total = 0;
  for (const std::uint32_t e : target.in) {
    const Edge& edge = edges_[e];
    if (edge.since > at.version) break;
    std::uint64_t addition = total;
    if (options_.stores_additions) {
      const LuceHistory::Change* change = edge.addition.at(at.version);
      if (!change) continue;
      addition = change->value;
    } else {
      total = sum_in_word(total, count_at(caller_of(edge.key), at.version));
    }
    if (addition > at.code || (found && addition < step.addition)) continue;
    step = {edge.key, addition};
    found = true;
  }
  return found;
}

std::uint64_t LuceGraph::caller_version(MethodId method, std::uint64_t version) const {
  const LuceHistory::Change* change = nodes_[raw(method)].caller_version.at(version);
  return change ? change->value : 0;
}

std::size_t LuceGraph::in_degree(MethodId method) const noexcept {
  return raw(method) < nodes_.size() ? nodes_[raw(method)].in.size() : 0;
}

void LuceGraph::save(wire::StateWriter& out) const {
  out.number(nodes_.size());
  for (const Node& node : nodes_) {
    out.byte(node.frozen ? 1 : 0);
    out.number(node.count);
    if (node.frozen) {
      out.number(node.restart_code);
      out.number(node.frozen_version);
    }
    node.caller_version.save(out);
    node.counts.save(out);
  }
  out.number(edges_.size());
  for (const Edge& edge : edges_) {
    out.edge(edge.key);
    out.number(edge.since);
    edge.addition.save(out);
  }
}

void LuceGraph::load(wire::StateReader& in) {
  nodes_.assign(in.count(4), Node());
  if (nodes_.empty()) in.fail("ROOT is missing");
  for (std::size_t i = 0; i < nodes_.size() && in.ok(); ++i) {
    Node& node = nodes_[i];
    const std::uint8_t frozen = in.byte();
    if (frozen > 1) in.fail("a method has unknown flags");
    node.frozen = frozen == 1;
    node.count = in.number();
    if (node.frozen) {
      node.restart_code = in.number();
      node.frozen_version = in.number();
    }
    node.caller_version.load(in);
    node.counts.load(in);
  }
  edges_.assign(in.count(5), Edge());
  for (std::uint32_t e = 0; e < edges_.size() && in.ok(); ++e) {
    Edge& edge = edges_[e];
    edge.key = in.edge();
    if (std::max(raw(caller_of(edge.key)), raw(callee_of(edge.key))) >= nodes_.size()) {
      in.fail("an edge's method is not among the graph's");
      break;
    }
    edge.since = in.number();
    edge.addition.load(in);
    nodes_[raw(callee_of(edge.key))].in.push_back(e);
  }
}

std::uint64_t LuceGraph::graph_bytes() const noexcept {
  std::uint64_t sum = index_.bytes() + allocated_bytes(edges_) + allocated_bytes(nodes_);
  for (const Node& node : nodes_) sum += allocated_bytes(node.in) + allocated_bytes(node.callees);
  return sum;
}

std::uint64_t LuceGraph::log_bytes() const noexcept {
  std::uint64_t sum = 0;
  for (const Edge& edge : edges_) sum += edge.addition.bytes();
  for (const Node& node : nodes_) sum += node.caller_version.bytes() + node.counts.bytes();
  return sum;
}

}  // namespace copse::encoders
