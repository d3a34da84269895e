// Layout of context ids in probes, and of the tables that probes read. JIT-compiled code uses these offsets through raw
// memory (src/agent/jvm/runtime/id).
//
// A thread's word says where its next callee would hang: a context's number (encoders/numbering/context_number.h) with
// a call site in place of the method.
//
//   bits   63..40   39..24   23..0
//   word   piece    code     number    of the calling frame's context; of the call site
//                                      (site_numbers.h)
//
// A frame keeps its word with the number of its method's "no call site". A call adds the site's ordinal. An entry looks
// up the codes that the site's codes map to in the callee:
//
//   slots    what they hold depends on the encoder (SlotKind):
//     kMappings       8 bytes each, 1 << kIdTransitionLog, by id_transition_slot(): a transition, below
//     others          16 bytes for every number
//     kEpochMappings    4 of 4 bytes, chosen by the callee's number: the mapping used last, as its distance
//                       from the mappings' start in mappings; 0 when there is none
//     kAdditions        2 of 8 bytes, likewise: the callee's number and, << 24, what is added to any code;
//                       0 when there is nothing; kIdStartsPiece and the callee's number
//     kRadices          2 of 8 bytes, likewise, but << 24 a serial of 16 bits and, << 40, a radix: a code
//                       becomes (code + 1) * radix + serial - 1, when that has room
//   transition   the code that a caller's code becomes in a callee, whatever the piece; bits of ^ were exchanged:
//
//   bits         63..48   47..24                     23..16                  15..0
//                code     number of the call site    the callee's number ^   the callee's number ^
//                                                    kLostNumber             the callee's code
//
//     The slot's index is a hash of code and call site ^ the lower bits of the callee's number. So a transition is either
//     that of a call or differs in bits 63..16. kLostNumber as its callee says that the call starts a piece: only a hint,
//     as it may be of another callee. A free slot, 0, is such a hint of calls from ROOT.
//   recent   4 bytes each, 2 << kIdRecentLog, pairs by id_recent_pair(): mappings that calls needed
//            which did not find theirs in the slot
//   mapping   32 bytes, at a multiple of 32:
//
//   offset size field
//        0    8 first    codes from here on, << 24; of kEpochMappings pieces and codes
//        8    8 length   as many, << 24; grows, and ends with the epoch. 0: calls from here start pieces
//       16    8 change   as in slots of 8 bytes; added to code << 24 it gives the frame word
//       24    4 callee   number of the callee's "no call site"; never 0
//       28    4 site     number of the call site
//
// Mapping 0 fits no call; its `change` is the SlotKind, its `first` where the table of pieces is: an
// address at a multiple of 64, and log2 of its slots in the lowest bits. The table is probed from
// id_piece_index() on, up to a free slot:
//
//   offset size field
//        0    8 key      ~word of the call; 0 while the slot is free
//        8    8 frame    the callee's frame word: of a new piece, or the call's context in numbers
//                        of a later epoch
//
// A mapping or slot is written before anything names it and does not move or change its meaning, so
// probes need no lock: any mapping that fits a call is right. When an epoch begins, the mappings of the earlier one
// end at its pieces before any word of the epoch is given out, so that no such word fits one, even if a probe that is late
// puts it into a slot. A table of pieces
// that has been replaced by a larger one stays as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "encoders/numbering/context_number.h"
#include "encoders/numbering/numbering.h"

namespace copse::ids {

inline constexpr std::uint32_t kMostIdNumbers = std::uint32_t{1} << encoders::kIdCodeShift;
// ROOT has one code, 0. Its numbers are those below kRootNumbers: a frame from before the start keeps 0, and a call may
// add its site's ordinal. A frame with the lost number has no id: there was no memory for its mapping, or no code left.
// All greater numbers are lost as well, one for each call site that such a frame's method may have.
inline constexpr std::uint32_t kRootNumber = 0;
inline constexpr std::uint32_t kRootNumbers = std::uint32_t{1} << 16;
inline constexpr std::uint32_t kLostNumber = kMostIdNumbers - (std::uint32_t{1} << 16);

// Returns the part of a word that is compared with `first` and `length` of a mapping.
constexpr std::uint64_t id_mapping_code(std::uint64_t word, encoders::SlotKind kind) noexcept {
  return word & (kind == encoders::SlotKind::kEpochMappings ? ~encoders::kIdNumberMask
                                                            : encoders::kIdCodeMask);
}

inline constexpr std::uint64_t kIdSlotBytes = 16;
inline constexpr std::uint64_t kIdStartsPiece = std::uint64_t{1} << 63;

inline constexpr int kIdTransitionLog = 18;
static_assert(encoders::kMostIdCodes <= std::uint64_t{1} << kIdTransitionLog);
static_assert(kLostNumber % encoders::kMostIdCodes == 0);
// Below 2^31, so that it is part of the instruction that multiplies.
inline constexpr std::uint64_t kIdTransitionMultiplier = 0x4F1B'BCDD;

// Index among the 8-byte slots. REQUIRES: the slots hold transitions.
constexpr std::size_t id_transition_slot(std::uint64_t word, std::uint32_t callee) noexcept {
  constexpr std::uint32_t mask = (std::uint32_t{1} << kIdTransitionLog) - 1;
  const std::uint64_t call = word << encoders::kIdCodeShift;
  return (call * kIdTransitionMultiplier >> (64 - kIdTransitionLog)) ^ (callee & mask);
}
// Returns the transition of a call from a word to a callee's frame word; kLostNumber for a call that starts a piece.
constexpr std::uint64_t id_transition(std::uint64_t word, std::uint64_t frame) noexcept {
  return word << encoders::kIdCodeShift ^ (frame & encoders::kIdNumberMask) ^ kLostNumber ^
         encoders::id_code(frame);
}
// Returns the callee's code if a transition from its slot is that of a call from the word to the callee, else a number
// that is no code.
constexpr std::uint64_t id_transition_code(std::uint64_t transition, std::uint64_t word,
                                           std::uint32_t callee) noexcept {
  return transition ^ word << encoders::kIdCodeShift ^ callee ^ kLostNumber;
}

// Index among the 4-byte slots. REQUIRES: the slots hold mappings.
constexpr std::size_t id_mapping_slot(std::uint64_t number, std::uint32_t callee) noexcept {
  return number * 4 + (callee & 3);
}
// Index among the 8-byte slots. REQUIRES: the slots are of another kind.
constexpr std::size_t id_change_slot(std::uint64_t number, std::uint32_t callee) noexcept {
  return number * 2 + (callee & 1);
}
// Returns the callee's frame word, computed from such a slot; kLostNumber if there is no room for its code.
constexpr std::uint64_t id_frame_by_radix(std::uint64_t word, std::uint64_t change) noexcept {
  const std::uint64_t code = ((word & encoders::kIdCodeMask) >> encoders::kIdCodeShift) + 1;
  const std::uint64_t serial = (change & encoders::kIdCodeMask) >> encoders::kIdCodeShift;
  const std::uint64_t next = code * (change >> encoders::kIdPieceShift) + serial - 1;
  if (next >= encoders::kMostIdCodes) return kLostNumber;
  return (word >> encoders::kIdPieceShift << encoders::kIdPieceShift) |
         next << encoders::kIdCodeShift | (change & encoders::kIdNumberMask);
}

inline constexpr int kIdRecentLog = 20;
inline constexpr std::uint64_t kIdRecentMultiplier = 0x9E37'79B9'7F4A'7C15;

// Returns the pair of recent mappings for a word, whatever its piece, and a callee.
constexpr std::uint32_t id_recent_pair(std::uint64_t word, std::uint32_t callee) noexcept {
  const std::uint64_t in_piece = word & (encoders::kIdCodeMask | encoders::kIdNumberMask);
  const std::uint64_t hash = (in_piece ^ (std::uint64_t{callee} << 40)) * kIdRecentMultiplier;
  return static_cast<std::uint32_t>(hash >> (64 - kIdRecentLog));
}

// Returns the index where the search for a call's piece begins, in a table of 2^log slots.
constexpr std::uint64_t id_piece_index(std::uint64_t word, std::uint32_t callee, int log) noexcept {
  const std::uint64_t hash = (word ^ callee * kIdRecentMultiplier) * kIdRecentMultiplier;
  return (hash ^ hash >> 32) * kIdRecentMultiplier >> (64 - log);
}

struct IdMapping {
  std::uint64_t first;
  std::uint64_t length;
  std::uint64_t change;
  std::uint32_t callee;
  std::uint32_t site;
};

// Bits of log2 of the slots, in the address of a table of pieces.
inline constexpr std::uint64_t kIdPieceLogMask = 63;

struct IdPieceSlot {
  std::uint64_t key;
  std::uint64_t frame;
};

static_assert(sizeof(IdPieceSlot) == 16 && std::is_trivially_copyable_v<IdPieceSlot>);
static_assert(offsetof(IdPieceSlot, frame) == 8);
static_assert(sizeof(IdMapping) == 32 && std::is_trivially_copyable_v<IdMapping>);
static_assert(offsetof(IdMapping, length) == 8 && offsetof(IdMapping, change) == 16);
static_assert(offsetof(IdMapping, callee) == 24 && offsetof(IdMapping, site) == 28);

}  // namespace copse::ids
