#include "encoders/numbering/id_decode.h"

#include <algorithm>

#include "base/scheme_facts.h"

namespace copse::encoders {

std::optional<LastCall> last_call(const CodeNumbering& numbering, const IdPieceList& pieces,
                                  std::uint64_t id) {
  const IdPieceList::Piece* piece = pieces.find(id_piece(id));
  if (piece == nullptr) return std::nullopt;
  const MethodId method = id_method(id);
  const MethodId start = callee_of(piece->edge);  // of ROOT's piece ROOT
  if (!IdPieceList::is_root(*piece) && id_code(id) == 0 && method == start) {
    return LastCall{piece->edge, context_id(piece->caller, caller_of(piece->edge))};
  }
  const CodeNumbering* const codes = numbering.of_epoch(pieces.epoch_of(id_piece(id)));
  if (codes == nullptr) return std::nullopt;
  const auto step = codes->step_to(method, id_code(id), start);
  if (!step) return std::nullopt;
  const std::uint64_t caller = id_piece(id) * kMostIdCodes + step->code;
  return LastCall{step->edge, context_id(caller, caller_of(step->edge))};
}

bool is_root_id(const IdPieceList& pieces, std::uint64_t id) {
  if (id_method(id) != kRootMethod || id_code(id) != 0) return false;
  const IdPieceList::Piece* piece = pieces.find(id_piece(id));
  return piece != nullptr && IdPieceList::is_root(*piece);
}

Result<CallPath> decode_id(const CodeNumbering& numbering, const IdPieceList& pieces,
                           std::uint64_t id) {
  const Status never = Status::error(Fault::kNotFound, "no context of this run has this id");
  CallPath path;
  std::uint64_t work = 0;
  while (id_method(id) != kRootMethod) {
    work += numbering.step_work(id_method(id));
    if (path.size() > kMaxPathSteps || work > kMaxDecodeWork) {
      return Status::error(Fault::kMalformed, "the path does not end");
    }
    const std::optional<LastCall> last = last_call(numbering, pieces, id);
    if (!last) return never;
    path.push_back(last->edge);
    id = last->caller;
  }
  if (!is_root_id(pieces, id)) return never;
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace copse::encoders
