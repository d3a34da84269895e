// The stack of piecewise encodings (PCCE, RCCE, run-stable ids): where a context's code restarts,
// the code so far is saved with the call edge that was taken.
//
// In a token a piece takes 8 bytes for the code and 5 for the call site. When the edge is unknown
// to the graph its callee follows (3 bytes) and the top bit of the code says so; of a known edge
// the decoder finds the callee itself.
#pragma once

#include <cstdint>
#include <vector>

#include "base/call_path.h"
#include "encoders/token.h"

namespace copse::encoders {

inline constexpr std::uint64_t kNamesCallee = std::uint64_t{1} << 63;

struct Piece {
  std::uint64_t saved;  // code before the call; kNamesCallee set when the edge is unknown
  EdgeKey edge;

  std::uint64_t code() const noexcept { return saved & ~kNamesCallee; }
  bool names_callee() const noexcept { return saved & kNamesCallee; }
};

inline void put_piece(Token& out, const Piece& piece) {
  out.put(piece.saved, 8);
  out.put_site(site_of(piece.edge));
  if (piece.names_callee()) out.put(raw(callee_of(piece.edge)), 3);
}

// The callee is 0 when the piece does not name it.
inline Piece take_piece(TokenReader& reader) {
  Piece piece;
  piece.saved = reader.take(8);
  const CallSite site = reader.take_site();
  MethodId callee = kRootMethod;
  if (piece.names_callee()) callee = MethodId{static_cast<std::uint32_t>(reader.take(3))};
  piece.edge = edge_key(site, callee);
  return piece;
}

}  // namespace copse::encoders
