// From a context's number (context_number.h) back to the context.
//
// Decoding is strict: every piece must end where it was started. So of numbers that were never
// given out nearly all are refused.
#pragma once

#include <cstdint>
#include <optional>

#include "base/call_path.h"
#include "base/status.h"
#include "encoders/numbering/id_piece_list.h"
#include "encoders/numbering/numbering.h"

namespace copse::encoders {

// 0 is the empty context. Cost: a binary search per call.
Result<CallPath> decode_id(const CodeNumbering& numbering, const IdPieceList& pieces,
                           std::uint64_t id);

// Whether it is ROOT's, of any epoch: the end of every decode.
bool is_root_id(const IdPieceList& pieces, std::uint64_t id);

// Its last call, and its caller as an id, whose method is ROOT at the end. Nothing when no context
// has this id.
struct LastCall {
  EdgeKey edge;
  std::uint64_t caller;
};
std::optional<LastCall> last_call(const CodeNumbering& numbering, const IdPieceList& pieces,
                                  std::uint64_t id);

}  // namespace copse::encoders
