#include "encoders/replay/deltapath_numbering.h"

#include <algorithm>
#include <map>

#include "encoders/numbering/graph_facts.h"
#include "encoders/replay/memory_use.h"

namespace copse::encoders {
namespace {

using AnchorList = DeltaPathNumbering::AnchorList;
using Counts = std::vector<std::vector<std::uint64_t>>;  // by method, by position in its list

void insert_sorted(AnchorList& list, std::uint32_t anchor) {
  const auto at = std::lower_bound(list.begin(), list.end(), anchor);
  if (at == list.end() || *at != anchor) list.insert(at, anchor);
}

class SiteNumberer {
 public:
  SiteNumberer(const graph::CallGraph& graph, const DeltaPathNumberingOptions& options)
      : graph_(graph),
        options_(options),
        in_(graph, graph::EdgeGroups::By::kCallee),
        out_(graph, graph::EdgeGroups::By::kCaller) {
    result_.pushed = graph::find_back_edges(graph);
    result_.is_anchor.resize(graph.method_limit());
    add_anchor(kRootMethod);
    for (const MethodId anchor : options.forced_anchors) {
      if (graph.contains(anchor) && !result_.is_anchor[raw(anchor)]) add_anchor(anchor);
    }
    clear();
    group_sites();
  }

  DeltaPathNumbering run() {
    order_ = graph::topological_order(graph_, result_.pushed);
    add_unreached_anchors();
    while (!number_all()) {
      ++result_.restarts;
      if (!make_room()) {
        result_.livelock = true;
        break;
      }
      if (options_.clears_on_restart) clear();
    }
    result_.inflated_counts = std::move(inflated_);
    return std::move(result_);
  }

 private:
  struct Overflow {
    MethodId caller;
    std::uint32_t edge;
  };

  MethodId caller(std::uint32_t e) const { return caller_of(graph_.edges()[e].key); }
  MethodId callee(std::uint32_t e) const { return callee_of(graph_.edges()[e].key); }

  void add_anchor(MethodId method) {
    result_.anchors.push_back(method);
    result_.is_anchor[raw(method)] = true;
  }

  void clear() {
    processed_.assign(graph_.edges().size(), false);
    result_.addition.assign(graph_.edges().size(), 0);
    result_.territories_of_method.assign(graph_.method_limit(), {});
    result_.territories_of_edge.assign(graph_.edges().size(), {});
  }

  void group_sites() {
    std::map<std::uint64_t, std::uint32_t> groups;
    group_of_edge_.resize(graph_.edges().size());
    for (std::uint32_t e = 0; e < graph_.edges().size(); ++e) {
      const auto [it, added] =
          groups.try_emplace(site_key(graph_.edges()[e].key), std::uint32_t(groups_.size()));
      if (added) groups_.emplace_back();
      groups_[it->second].push_back(e);
      group_of_edge_[e] = it->second;
    }
  }

  void add_unreached_anchors() {
    for (std::uint32_t i = 1; i < graph_.method_limit(); ++i) {
      const MethodId method{i};
      if (!graph_.contains(method) || result_.is_anchor[i]) continue;
      const auto edges = in_.of(method);
      if (std::all_of(edges.begin(), edges.end(), [&](auto e) { return result_.pushed[e]; })) {
        add_anchor(method);
      }
    }
  }

  void find_territories() {
    std::vector<std::uint32_t> seen(graph_.method_limit(), 0);
    std::vector<MethodId> pending;
    for (std::uint32_t r = 0; r < result_.anchors.size(); ++r) {
      pending.push_back(result_.anchors[r]);
      seen[raw(result_.anchors[r])] = r + 1;
      while (!pending.empty()) {
        const MethodId method = pending.back();
        pending.pop_back();
        insert_sorted(result_.territories_of_method[raw(method)], r);
        if (method != result_.anchors[r] && result_.is_anchor[raw(method)]) continue;
        for (const std::uint32_t e : out_.of(method)) {
          if (result_.pushed[e]) continue;
          insert_sorted(result_.territories_of_edge[e], r);
          if (seen[raw(callee(e))] == r + 1) continue;
          seen[raw(callee(e))] = r + 1;
          pending.push_back(callee(e));
        }
      }
    }
  }

  std::uint64_t value(const Counts& counts, MethodId method, std::uint32_t r) const {
    const AnchorList& list = result_.territories_of_method[raw(method)];
    const auto at = std::lower_bound(list.begin(), list.end(), r);
    if (at == list.end() || *at != r) return 0;
    return counts[raw(method)][static_cast<std::size_t>(at - list.begin())];
  }
  void set_value(Counts& counts, MethodId method, std::uint32_t r, std::uint64_t value) {
    const AnchorList& list = result_.territories_of_method[raw(method)];
    const auto at = std::lower_bound(list.begin(), list.end(), r);
    counts[raw(method)][static_cast<std::size_t>(at - list.begin())] = value;
  }

  bool number_all() {
    find_territories();
    candidate_.assign(graph_.method_limit(), {});
    for (std::uint32_t i = 0; i < graph_.method_limit(); ++i) {
      candidate_[i].resize(result_.territories_of_method[i].size());
    }
    inflated_ = candidate_;
    for (const MethodId method : order_) {
      for (const std::uint32_t e : in_.of(method)) {
        if (!result_.pushed[e] && !processed_[e] && !number_site(group_of_edge_[e])) return false;
      }
      settle(method);
    }
    return true;
  }

  bool number_site(std::uint32_t group) {
    std::uint64_t start = 0;
    for (const std::uint32_t e : groups_[group]) {
      processed_[e] = true;
      if (result_.pushed[e]) continue;
      for (const std::uint32_t r : result_.territories_of_edge[e]) {
        start = std::max(start, value(candidate_, callee(e), r));
      }
    }
    bool fits = true;
    for (const std::uint32_t e : groups_[group]) {
      if (result_.pushed[e]) continue;
      for (const std::uint32_t r : result_.territories_of_edge[e]) {
        const std::uint64_t end = value(inflated_, caller(e), r) + start;
        set_value(candidate_, callee(e), r, end);
        if (end > options_.max_code) {
          overflow_ = {caller(e), e};
          fits = false;
        }
      }
    }
    if (!fits) return false;
    for (const std::uint32_t e : groups_[group]) result_.addition[e] = start;
    return true;
  }

  void settle(MethodId method) {
    if (!result_.is_anchor[raw(method)]) {
      inflated_[raw(method)] = candidate_[raw(method)];
      return;
    }
    const auto own = std::find(result_.anchors.begin(), result_.anchors.end(), method);
    set_value(inflated_, method, static_cast<std::uint32_t>(own - result_.anchors.begin()), 1);
  }

  // False: nothing can be changed (literal form only).
  bool make_room() {
    if (!result_.is_anchor[raw(overflow_.caller)]) {
      add_anchor(overflow_.caller);
      return true;
    }
    // Kept state: the site counts as processed and is passed over from now on.
    if (!options_.clears_on_restart) return true;
    if (!options_.breaks_livelock) return false;
    MethodId best = kRootMethod;
    std::uint64_t largest = 0;
    for (const std::uint32_t target : groups_[group_of_edge_[overflow_.edge]]) {
      if (result_.pushed[target]) continue;
      for (const std::uint32_t e : in_.of(callee(target))) {
        if (result_.pushed[e] || result_.is_anchor[raw(caller(e))]) continue;
        std::uint64_t codes = 0;
        for (const std::uint64_t count : inflated_[raw(caller(e))]) codes = std::max(codes, count);
        if (best != kRootMethod && codes < largest) continue;
        largest = codes;
        best = caller(e);
      }
    }
    if (best != kRootMethod) {
      add_anchor(best);
    } else {
      result_.pushed[overflow_.edge] = true;
      order_ = graph::topological_order(graph_, result_.pushed);
      add_unreached_anchors();
    }
    return true;
  }

  const graph::CallGraph& graph_;
  const DeltaPathNumberingOptions& options_;
  const graph::EdgeGroups in_;
  const graph::EdgeGroups out_;
  DeltaPathNumbering result_;
  std::vector<MethodId> order_;
  std::vector<std::vector<std::uint32_t>> groups_;  // edges by call site
  std::vector<std::uint32_t> group_of_edge_;
  std::vector<bool> processed_;  // by edge
  Counts candidate_;             // CAV: next free code
  Counts inflated_;              // ICC
  Overflow overflow_{};
};

}  // namespace

std::uint64_t DeltaPathNumbering::inflated_count(MethodId method, MethodId anchor) const {
  const AnchorList& list = territories_of_method[raw(method)];
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (anchors[list[i]] == anchor) return inflated_counts[raw(method)][i];
  }
  return 0;
}

std::uint64_t DeltaPathNumbering::bytes() const noexcept {
  const auto bits = [](const std::vector<bool>& values) { return values.capacity() / 8; };
  std::uint64_t sum = bits(pushed) + bits(is_anchor) + allocated_bytes(addition) +
                      allocated_bytes(anchors) + allocated_bytes(territories_of_method) +
                      allocated_bytes(territories_of_edge) + allocated_bytes(inflated_counts);
  for (const AnchorList& list : territories_of_method) sum += allocated_bytes(list);
  for (const AnchorList& list : territories_of_edge) sum += allocated_bytes(list);
  for (const auto& counts : inflated_counts) sum += allocated_bytes(counts);
  return sum;
}

DeltaPathNumbering number_sites(const graph::CallGraph& graph,
                                const DeltaPathNumberingOptions& options) {
  return SiteNumberer(graph, options).run();
}

std::vector<SchemeFact> deltapath_facts(const graph::CallGraph& graph,
                                        const DeltaPathNumbering& numbering) {
  std::uint64_t max_id = 0;
  for (const auto& counts : numbering.inflated_counts) {
    for (const std::uint64_t count : counts)
      max_id = std::max(max_id, std::max(count, std::uint64_t{1}) - 1);
  }
  std::vector<std::uint64_t> methods(numbering.anchors.size());
  for (const auto& territories : numbering.territories_of_method) {
    for (const std::uint32_t territory : territories) ++methods[territory];
  }
  std::uint64_t sum = 0, largest = 0;
  for (const std::uint64_t count : methods) {
    sum += count;
    largest = std::max(largest, count);
  }
  std::vector<SchemeFact> facts = graph_facts(graph);
  facts.push_back({"max_id", max_id});
  facts.push_back({"anchors", numbering.anchors.size()});
  facts.push_back({"territory_methods", sum});
  facts.push_back({"largest_territory", largest});
  return facts;
}

}  // namespace copse::encoders
