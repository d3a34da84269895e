// From a context's number (context_id() of id_layout.h) back to the context.
//
// Decoding is strict: every piece must end where it was started. So of numbers that were never
// given out nearly all are refused.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "context_id/code_numbering.h"
#include "context_id/id_pieces.h"
#include "encoders/call_path.h"

namespace copse {

// `pieces`: by number, that of ROOT first. 0 is the empty context. Cost: a binary search per call.
Result<encoders::CallPath> decode_id(const CodeNumbering& numbering,
                                     const std::vector<IdPieces::Piece>& pieces, std::uint64_t id);

}  // namespace copse
