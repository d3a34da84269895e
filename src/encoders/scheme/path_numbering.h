// Ball-Larus numbering of the acyclic contexts of a call graph, as PCCE does it: every in-edge e of
// a method n owns the range [addition(e), addition(e) + paths(caller)) of n's codes.
//
// Back edges, and edges pruned because a method would have more codes than a word holds, are cut: a context is encoded
// piecewise, each piece starting at a cut edge. Pieces that know their edge need no code for "a piece starts here".
#pragma once

#include <cstdint>
#include <vector>

#include "graph/call_graph.h"

namespace copse::encoders {

// Codes of a method with cut in-edges that mean "a piece starts here". They are its first ones.
enum class ReservedStarts : std::uint8_t {
  kNone,
  kOnePerMethod,  // the paper's dummy edge
  kOnePerEdge     // a code names the cut edge
};

struct NumberingOptions {
  std::uint64_t max_paths = std::uint64_t{1} << 62;  // codes per method before edges are pruned
  ReservedStarts starts = ReservedStarts::kNone;
};

struct PathNumbering {
  std::vector<bool> cut;  // by edge index
  std::vector<std::uint64_t>
      addition;                      // by edge index; for a cut edge: the first code of its piece
  std::vector<std::uint64_t> paths;  // by method; at least 1
  std::uint64_t pruned = 0;          // cut edges that are no back edges
};

// In-edges of a method are numbered most calls first, equals in graph order, so that the hottest
// adds 0. When a method's codes exceed max_paths its coldest in-edge is cut, among equals the one
// with most paths. Cost: O(edges log edges).
PathNumbering number_paths(const graph::CallGraph& graph, const NumberingOptions& options);

}  // namespace copse::encoders
