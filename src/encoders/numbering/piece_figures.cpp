#include "encoders/numbering/piece_figures.h"

#include <algorithm>

#include "base/flat_map.h"

namespace copse::encoders {

StackHeight PieceHeights::of(const CodeNumbering& numbering, const IdPieceList& pieces,
                             std::uint64_t piece) {
  if (pieces.find(piece) == nullptr) return {};
  // A piece hangs under an earlier one.
  while (heights_.size() <= piece) {
    const IdPieceList::Piece& next = *pieces.find(heights_.size());
    Height height{0, 0};
    if (!IdPieceList::is_root(next)) {
      height = heights_[next.caller / kMostIdCodes];
      ++height.entries;
      if (numbering.knows(next.edge) == false) ++height.unexpected;
    }
    heights_.push_back(height);
  }
  StackHeight found{.entries = heights_[piece].entries};
  if (numbering.knows(kNoEdge)) found.unexpected = heights_[piece].unexpected;
  return found;
}

SchemeFacts facts_of(const CodeNumbering& numbering, const IdPieceList& pieces) {
  SchemeFacts facts = numbering.facts();
  FlatMap<EdgeKey, bool> edges;
  PieceHeights heights;
  std::uint64_t deepest = 0, unexpected = 0;
  for (std::uint64_t at = 1; const auto* piece = pieces.find(at); ++at) {
    if (IdPieceList::is_root(*piece)) continue;
    edges[piece->edge] = true;
    unexpected += numbering.knows(piece->edge) == false ? 1 : 0;
    deepest = std::max(deepest, heights.of(numbering, pieces, at).entries);
  }
  facts.values.push_back({"breakpoints", pieces.count()});
  facts.values.push_back({"breakpoint_edges", edges.size()});
  facts.values.push_back({"deepest_stack", deepest});
  if (numbering.knows(kNoEdge)) facts.values.push_back({"unexpected_paths", unexpected});
  return facts;
}

}  // namespace copse::encoders
