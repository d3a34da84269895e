// A context as one number: piece, code and method. The same in a trace and in a JVM.
//
//   bits   63..40   39..24   23..0
//   id     piece    code     method
//
// Contexts consist of pieces, so that recursion does not use up the codes. A call that the numbering does not map
// (numbering.h) starts a new piece, with its own codes. Code 0 of a method means that the piece starts with it; the
// piece's number gives the context that the piece hangs under (id_piece_list.h). Piece 0 starts at ROOT.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace copse::encoders {

inline constexpr int kIdCodeShift = 24;
inline constexpr int kIdPieceShift = 40;
inline constexpr std::uint64_t kIdNumberMask = (std::uint64_t{1} << kIdCodeShift) - 1;
inline constexpr std::uint64_t kIdCodeMask =
    ((std::uint64_t{1} << kIdPieceShift) - 1) & ~kIdNumberMask;
inline constexpr std::uint64_t kMostIdCodes = std::uint64_t{1} << (kIdPieceShift - kIdCodeShift);
inline constexpr std::uint64_t kMostIdPieces = std::uint64_t{1} << (64 - kIdPieceShift);
// For numberings with epochs: an epoch begins while at least half of the pieces are left.
inline constexpr std::uint64_t kMostIdEpochs = std::uint64_t{1} << 16;

constexpr std::uint64_t context_id(std::uint64_t piece_and_code, MethodId method) noexcept {
  return (piece_and_code << kIdCodeShift) | raw(method);
}
constexpr std::uint64_t id_piece(std::uint64_t id) noexcept { return id >> kIdPieceShift; }
constexpr std::uint64_t id_code(std::uint64_t id) noexcept {
  return (id & kIdCodeMask) >> kIdCodeShift;
}
constexpr MethodId id_method(std::uint64_t id) noexcept {
  return MethodId{static_cast<std::uint32_t>(id & kIdNumberMask)};
}

}  // namespace copse::encoders
