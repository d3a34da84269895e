// Figures of contexts in pieces (context_number.h): a piece is an entry of the stack on which the papers keep the code
// of a call that has no number.
#pragma once

#include <cstdint>
#include <vector>

#include "base/scheme_facts.h"
#include "encoders/numbering/id_piece_list.h"
#include "encoders/numbering/numbering.h"

namespace copse::encoders {

// Heights of the stacks of pieces. Not thread-safe; the owner has a lock.
class PieceHeights {
 public:
  // Returns the height where the piece begins; none if there is no such piece. Cost: a step for each piece that is new
  // since the last call. Throws std::bad_alloc.
  StackHeight of(const CodeNumbering& numbering, const IdPieceList& pieces, std::uint64_t piece);

 private:
  struct Height {
    std::uint32_t entries;
    std::uint32_t unexpected;
  };
  std::vector<Height> heights_;  // by piece
};

// Returns the numbering's facts and those of the pieces that it made. Cost: some steps for each piece.
SchemeFacts facts_of(const CodeNumbering& numbering, const IdPieceList& pieces);

}  // namespace copse::encoders
