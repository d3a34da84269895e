#include "encoders/numbering/piece_figures.h"

#include <algorithm>

#include "base/flat_map.h"

namespace copse::encoders {

StackHeight PieceHeights::of(const CodeNumbering& numbering, const IdPieceList& pieces,
                             std::uint64_t piece) {
  if (pieces.find(piece) == nullptr) return {};
  const std::uint64_t epoch = pieces.epoch_of(piece);
  const std::uint64_t root = pieces.root_of(epoch);
  if (epoch >= epochs_.size()) epochs_.resize(epoch + 1);
  std::vector<Height>& heights = epochs_[epoch];
  if (heights.empty()) heights.push_back({0, 0});  // ROOT's
  // A piece hangs under an earlier one.
  for (std::uint64_t next = root + heights.size(); next <= piece; ++next) {
    const IdPieceList::Piece& begun = *pieces.find(next);
    const Height below = heights[begun.caller / kMostIdCodes - root];
    heights.push_back(
        {below.entries + 1, below.unexpected + (numbering.knows(begun.edge) == false ? 1u : 0u)});
  }
  const Height height = heights[piece - root];
  StackHeight found{height.entries, {}};
  if (numbering.knows(kNoEdge)) found.unexpected = height.unexpected;
  return found;
}

SchemeFacts facts_of(const CodeNumbering& numbering, const IdPieceList& pieces) {
  SchemeFacts facts = numbering.facts();
  FlatMap<EdgeKey, bool> edges;
  PieceHeights heights;
  std::uint64_t deepest = 0, unexpected = 0;
  for (std::uint64_t epoch = 0; epoch <= pieces.epoch(); ++epoch) {
    for (std::uint64_t at = pieces.root_of(epoch) + 1; const auto* piece = pieces.find(at); ++at) {
      if (pieces.epoch_of(at) != epoch) break;
      edges[piece->edge] = true;
      unexpected += numbering.knows(piece->edge) == false ? 1 : 0;
      deepest = std::max(deepest, heights.of(numbering, pieces, at).entries);
    }
  }
  facts.values.push_back({"breakpoints", pieces.count()});
  facts.values.push_back({"breakpoint_edges", edges.size()});
  facts.values.push_back({"deepest_stack", deepest});
  if (numbering.knows(kNoEdge)) facts.values.push_back({"unexpected_paths", unexpected});
  return facts;
}

}  // namespace copse::encoders
