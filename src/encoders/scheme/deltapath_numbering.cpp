#include "encoders/scheme/deltapath_numbering.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "encoders/scheme/graph_facts.h"
#include "encoders/scheme/memory_use.h"

namespace copse::encoders {
namespace {

using AnchorList = DeltaPathNumbering::AnchorList;

constexpr std::uint32_t kNoIndex = ~std::uint32_t{0};

// Methods are numbered in topological order. When a method becomes an anchor, only the sites are numbered again whose
// start depends on it: its own, those that share a callee with one of them and come later, and those of these callees.
// The literal form starts again.
class SiteNumberer {
 public:
  SiteNumberer(const graph::CallGraph& graph, const DeltaPathNumberingOptions& options)
      : graph_(graph),
        options_(options),
        in_(graph, graph::EdgeGroups::By::kCallee),
        out_(graph, graph::EdgeGroups::By::kCaller),
        anchor_index_(graph.method_limit(), kNoIndex),
        position_(graph.method_limit()) {
    result_.pushed = graph::find_back_edges(graph);
    result_.territories_of_method.resize(graph.method_limit());
    result_.territories_of_edge.resize(graph.edges().size());
    result_.inflated_counts.resize(graph.method_limit());
    add_anchor(kRootMethod);
    for (const MethodId anchor : options.forced_anchors) {
      if (graph.contains(anchor) && !is_anchor(anchor)) add_anchor(anchor);
    }
    group_sites();
  }

  DeltaPathNumbering run() {
    leave_out_pushed_edges();
    std::uint32_t first = 0;
    while (!number_from(first)) {
      ++result_.restarts;
      const std::optional<std::uint32_t> changed = make_room();
      if (!changed) {
        result_.livelock = true;
        break;
      }
      first = *changed;
    }
    result_.is_anchor.resize(graph_.method_limit());
    for (const MethodId anchor : result_.anchors) result_.is_anchor[raw(anchor)] = true;
    return std::move(result_);
  }

 private:
  struct Site {
    std::vector<std::uint32_t> edges;
    bool is_numbered = false;
  };
  struct Code {
    std::uint32_t territory;
    std::uint64_t next;  // CAV: next free code
  };
  using Codes = std::vector<Code>;  // by territory
  struct Overflow {
    MethodId caller;
    std::uint32_t edge;
    std::uint32_t position;  // of the method in order_ whose in-edges were being numbered
  };

  MethodId caller(std::uint32_t e) const { return caller_of(graph_.edges()[e].key); }
  MethodId callee(std::uint32_t e) const { return callee_of(graph_.edges()[e].key); }

  void add_anchor(MethodId method) {
    anchor_index_[raw(method)] = static_cast<std::uint32_t>(result_.anchors.size());
    result_.anchors.push_back(method);
  }
  bool is_anchor(MethodId method) const { return anchor_index_[raw(method)] != kNoIndex; }

  void leave_out_pushed_edges() {
    in_ = {graph_, graph::EdgeGroups::By::kCallee, result_.pushed};
    out_ = {graph_, graph::EdgeGroups::By::kCaller, result_.pushed};
    order_ = graph::topological_order(graph_, result_.pushed);
    for (std::uint32_t i = 0; i < order_.size(); ++i) position_[raw(order_[i])] = i;
    sort_sites();
    add_unreached_anchors();
    clear();
  }

  void group_sites() {
    std::map<std::uint64_t, std::uint32_t> sites;
    site_of_edge_.resize(graph_.edges().size());
    for (std::uint32_t e = 0; e < graph_.edges().size(); ++e) {
      const auto [it, added] =
          sites.try_emplace(site_key(graph_.edges()[e].key), std::uint32_t(sites_.size()));
      if (added) sites_.emplace_back();
      sites_[it->second].edges.push_back(e);
      site_of_edge_[e] = it->second;
    }
  }

  // A site is numbered with the first of its callees.
  void sort_sites() {
    site_order_.clear();
    first_sites_.clear();
    std::vector<bool> has_place(sites_.size());
    for (const MethodId method : order_) {
      first_sites_.push_back(static_cast<std::uint32_t>(site_order_.size()));
      for (const std::uint32_t e : in_.of(method)) {
        if (!has_place[site_of_edge_[e]]) site_order_.push_back(site_of_edge_[e]);
        has_place[site_of_edge_[e]] = true;
      }
    }
    first_sites_.push_back(static_cast<std::uint32_t>(site_order_.size()));
  }

  std::span<const std::uint32_t> sites_at(std::uint32_t position) const {
    return std::span(site_order_)
        .subspan(first_sites_[position], first_sites_[position + 1] - first_sites_[position]);
  }

  void add_unreached_anchors() {
    for (std::uint32_t i = 1; i < graph_.method_limit(); ++i) {
      const MethodId method{i};
      if (graph_.contains(method) && !is_anchor(method) && in_.of(method).empty()) {
        add_anchor(method);
      }
    }
  }

  void clear() {
    for (Site& site : sites_) site.is_numbered = false;
    result_.addition.assign(graph_.edges().size(), 0);
    codes_.assign(graph_.method_limit(), {});
    is_stale_.assign(graph_.method_limit(), 1);
  }

  // Forgets the sites from a position in order_ on that depend on a method, and what they gave their callees. The site
  // that overflowed is one of them.
  void forget_behind(MethodId method, std::uint32_t position) {
    const std::uint32_t overflowed = site_of_edge_[overflow_.edge];
    has_changed_.assign(graph_.method_limit(), 0);
    std::vector<MethodId> callees;
    // Sites behind the one that overflowed may have been numbered before.
    for (std::uint32_t i = first_sites_[position]; i < site_order_.size(); ++i) {
      const std::uint32_t s = site_order_[i];
      if (!sites_[s].is_numbered) continue;
      const bool is_own = caller(sites_[s].edges.front()) == method;
      if (s != overflowed && !is_own && !depends_on_changed(sites_[s])) continue;
      sites_[s].is_numbered = false;
      for (const std::uint32_t e : sites_[s].edges) {
        result_.addition[e] = 0;
        if (result_.pushed[e] || std::exchange(has_changed_[raw(callee(e))], 1)) continue;
        callees.push_back(callee(e));
      }
    }
    is_stale_[raw(method)] = 1;
    for (const MethodId changed : callees) {
      is_stale_[raw(changed)] = 1;
      codes_[raw(changed)].clear();
      for (const std::uint32_t e : in_.of(changed)) {
        if (sites_[site_of_edge_[e]].is_numbered) take_codes(e, result_.addition[e]);
      }
    }
  }

  bool depends_on_changed(const Site& site) const {
    if (has_changed_[raw(caller(site.edges.front()))]) return true;
    return std::ranges::any_of(site.edges, [&](std::uint32_t e) {
      return has_changed_[raw(callee(e))] && !result_.pushed[e];
    });
  }

  void add_to(AnchorList& list, std::span<const std::uint32_t> territories) {
    merged_.clear();
    std::set_union(list.begin(), list.end(), territories.begin(), territories.end(),
                   std::back_inserter(merged_));
    list.swap(merged_);
  }

  // Those of a method and its out-edges; those of its in-edges are known. The literal form keeps what it found before.
  void find_territories(MethodId method) {
    const bool clears = options_.clears_on_restart;
    const std::span<const std::uint32_t> own(&anchor_index_[raw(method)],
                                             is_anchor(method) ? 1 : 0);
    AnchorList& list = result_.territories_of_method[raw(method)];
    if (clears) list.clear();
    add_to(list, own);
    for (const std::uint32_t e : in_.of(method)) add_to(list, result_.territories_of_edge[e]);
    for (const std::uint32_t e : out_.of(method)) {
      AnchorList& of_edge = result_.territories_of_edge[e];
      if (clears) of_edge.clear();
      add_to(of_edge, own.empty() ? list : own);
    }
  }

  std::uint64_t& inflated_count(MethodId method, std::uint32_t r) {
    const AnchorList& list = result_.territories_of_method[raw(method)];
    const auto at = std::lower_bound(list.begin(), list.end(), r);
    return result_.inflated_counts[raw(method)][static_cast<std::size_t>(at - list.begin())];
  }

  Codes::iterator code_at(MethodId method, std::uint32_t r) {
    return std::ranges::lower_bound(codes_[raw(method)], r, {}, &Code::territory);
  }

  // The callee's codes from `start` on are the edge's. False: they pass the limit.
  bool take_codes(std::uint32_t e, std::uint64_t start) {
    bool fits = true;
    Codes& codes = codes_[raw(callee(e))];
    for (const std::uint32_t r : result_.territories_of_edge[e]) {
      const std::uint64_t end = start + inflated_count(caller(e), r);
      const auto at = code_at(callee(e), r);
      if (at == codes.end() || at->territory != r) {
        codes.insert(at, {r, end});
      } else {
        at->next = std::max(at->next, end);
      }
      fits = fits && end <= options_.max_code;
    }
    return fits;
  }

  // False: codes passed the limit, at overflow_.
  bool number_from(std::uint32_t first) {
    if (!options_.clears_on_restart) {
      codes_.assign(graph_.method_limit(), {});
      for (const MethodId method : order_) find_territories(method);
    }
    for (std::uint32_t i = first; i < order_.size(); ++i) {
      const MethodId method = order_[i];
      if (options_.clears_on_restart && !is_stale_[raw(method)]) continue;
      for (const std::uint32_t s : sites_at(i)) {
        if (std::exchange(sites_[s].is_numbered, true)) continue;
        if (!number(sites_[s], i)) return false;
      }
      if (options_.clears_on_restart) find_territories(method);
      settle(method);
      is_stale_[raw(method)] = 0;
    }
    return true;
  }

  bool number(const Site& site, std::uint32_t position) {
    std::uint64_t start = 0;
    for (const std::uint32_t e : site.edges) {
      if (result_.pushed[e]) continue;
      for (const std::uint32_t r : result_.territories_of_edge[e]) {
        const auto at = code_at(callee(e), r);
        if (at != codes_[raw(callee(e))].end() && at->territory == r) {
          start = std::max(start, at->next);
        }
      }
    }
    bool fits = true;
    for (const std::uint32_t e : site.edges) {
      if (result_.pushed[e] || take_codes(e, start)) continue;
      overflow_ = {caller(e), e, position};
      fits = false;
    }
    if (!fits) return false;
    for (const std::uint32_t e : site.edges) result_.addition[e] = start;
    return true;
  }

  void settle(MethodId method) {
    const AnchorList& list = result_.territories_of_method[raw(method)];
    result_.inflated_counts[raw(method)].assign(list.size(), 0);
    if (is_anchor(method)) {
      inflated_count(method, anchor_index_[raw(method)]) = 1;
    } else {
      for (const Code& code : codes_[raw(method)])
        inflated_count(method, code.territory) = code.next;
    }
  }

  // Where in order_ to go on; none: nothing can be changed (literal form only).
  std::optional<std::uint32_t> make_room() {
    if (!is_anchor(overflow_.caller)) return make_anchor(overflow_.caller);
    // Kept state: the site counts as numbered and is passed over from now on.
    if (!options_.clears_on_restart) return 0;
    if (!options_.breaks_livelock) return std::nullopt;
    MethodId best = kRootMethod;
    std::uint64_t largest = 0;
    for (const std::uint32_t target : sites_[site_of_edge_[overflow_.edge]].edges) {
      if (result_.pushed[target]) continue;
      for (const std::uint32_t e : in_.of(callee(target))) {
        if (is_anchor(caller(e))) continue;
        const std::uint64_t codes = most_codes(caller(e));
        if (best != kRootMethod && codes < largest) continue;
        largest = codes;
        best = caller(e);
      }
    }
    if (best != kRootMethod) return make_anchor(best);
    result_.pushed[overflow_.edge] = true;
    result_.territories_of_edge[overflow_.edge].clear();
    leave_out_pushed_edges();
    return 0;
  }

  // 0 when the method had not been numbered by then.
  std::uint64_t most_codes(MethodId method) const {
    const std::vector<std::uint64_t>& counts = result_.inflated_counts[raw(method)];
    if (position_[raw(method)] >= overflow_.position || counts.empty()) return 0;
    return *std::max_element(counts.begin(), counts.end());
  }

  std::uint32_t make_anchor(MethodId method) {
    add_anchor(method);
    if (!options_.clears_on_restart) return 0;
    const std::uint32_t position = std::min(position_[raw(method)], overflow_.position);
    forget_behind(method, position);
    return position;
  }

  const graph::CallGraph& graph_;
  const DeltaPathNumberingOptions& options_;
  graph::EdgeGroups in_;  // without pushed edges
  graph::EdgeGroups out_;
  DeltaPathNumbering result_;                // its inflated_counts: ICC
  std::vector<std::uint32_t> anchor_index_;  // by method; kNoIndex: no anchor
  std::vector<MethodId> order_;
  std::vector<std::uint32_t> position_;  // by method, in order_
  std::vector<Site> sites_;
  std::vector<std::uint32_t> site_of_edge_;
  std::vector<std::uint32_t> site_order_;
  std::vector<std::uint32_t>
      first_sites_;                // by position in order_, in site_order_; one more at the end
  std::vector<Codes> codes_;       // by method
  std::vector<char> is_stale_;     // by method: territories and counts are to be found
  std::vector<char> has_changed_;  // by method, of forget_behind()
  AnchorList merged_;              // of add_to()
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
