// DeltaPath's addition values (Zeng et al., CGO 2014, Algorithm 2): one value per call site, valid
// for all its targets, with anchors where codes would pass a limit.
//
// The territory of an anchor r is the set of methods that r reaches without passing another anchor. Within a territory
// the in-edges of a method own disjoint code ranges; an anchor restarts at code 0. ROOT is always an anchor; so is a
// method that no acyclic path reaches.
//
// Repairs: a restart clears everything (the literal `again` keeps which sites were processed, and
// mis-numbers); when the overflowing caller is an anchor already, a predecessor of a target becomes
// one (the literal form would loop for ever), and if all are, the edge is cut and entered by push.
#pragma once

#include <cstdint>
#include <vector>

#include "base/scheme_facts.h"
#include "graph/call_graph.h"

namespace copse::encoders {

struct DeltaPathNumberingOptions {
  std::uint64_t max_code = std::uint64_t{1} << 62;  // codes per method and territory
  std::vector<MethodId> forced_anchors;
  bool clears_on_restart = true;
  bool breaks_livelock = true;
};

struct DeltaPathNumbering {
  using AnchorList = std::vector<std::uint32_t>;  // indices into anchors, ascending

  std::vector<bool> pushed;             // by edge index: back or cut edges
  std::vector<std::uint64_t> addition;  // by edge index; equal for all edges of a site
  std::vector<MethodId> anchors;        // ROOT first
  std::vector<bool> is_anchor;          // by method
  std::vector<AnchorList> territories_of_method;
  std::vector<AnchorList> territories_of_edge;
  // By method, parallel to territories_of_method: upper bound of codes per territory (ICC).
  std::vector<std::vector<std::uint64_t>> inflated_counts;
  std::uint32_t restarts = 0;
  bool livelock = false;  // the literal algorithm would not have ended; values are unusable

  // ICC[method][anchor], 0 outside the territory.
  std::uint64_t inflated_count(MethodId method, MethodId anchor) const;
  std::uint64_t bytes() const noexcept;
};

// Cost: O(restarts * (edges + sum of territory sizes)) at most. A restart looks at all sites, and numbers again those that
// depend on its new anchor.
DeltaPathNumbering number_sites(const graph::CallGraph& graph,
                                const DeltaPathNumberingOptions& options);

// Returns the paper's figures of the graph and its numbering (Table 1), and the sizes of territories.
std::vector<SchemeFact> deltapath_facts(const graph::CallGraph& graph,
                                        const DeltaPathNumbering& numbering);

}  // namespace copse::encoders
