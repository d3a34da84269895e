#include "context_id/id_decode.h"

#include <algorithm>

#include "encoders/encoder.h"

namespace copse {

using encoders::CallPath;

namespace {

Result<CallPath> never_given_out() { return Status::error("no context of this run has this id"); }

}  // namespace

Result<CallPath> decode_id(const CodeNumbering& numbering,
                           const std::vector<IdPieces::Piece>& pieces, std::uint64_t id) {
  std::uint64_t piece = id_piece(id);
  std::uint64_t code = id_code(id);
  MethodId method = id_method(id);
  CallPath path;
  while (piece != 0 || method != encoders::kRootMethod) {
    if (path.size() > encoders::kMaxPathSteps) return Status::error("the path does not end");
    if (piece >= pieces.size()) return never_given_out();
    const MethodId start = encoders::callee_of(pieces[piece].edge);  // ROOT's is kRootMethod
    encoders::EdgeKey edge{};
    if (piece != 0 && code == 0 && method == start) {
      edge = pieces[piece].edge;
      code = pieces[piece].caller % kMostIdCodes;
      piece = pieces[piece].caller / kMostIdCodes;
    } else {
      const auto step = numbering.step_to(method, code, start);
      if (!step) return never_given_out();
      edge = step->edge;
      code = step->code;
    }
    path.push_back(edge);
    method = encoders::caller_of(edge);
  }
  if (code != 0) return never_given_out();
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace copse
