// Decodes a context's number (context_number.h) to the context.
//
// Decoding is strict: every piece must end where it was started. Therefore nearly all numbers that were never given out
// are rejected.
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

// Returns true for ROOT's id in any epoch, where every decode ends.
bool is_root_id(const IdPieceList& pieces, std::uint64_t id);

// Last call of a context, and the caller as an id, whose method is finally ROOT. std::nullopt if no context has this
// id.
struct LastCall {
  EdgeKey edge;
  std::uint64_t caller;
};
std::optional<LastCall> last_call(const CodeNumbering& numbering, const IdPieceList& pieces,
                                  std::uint64_t id);

}  // namespace copse::encoders
