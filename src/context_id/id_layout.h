// Context ids as probes hold them, and the tables they look into: JIT-compiled code uses these
// offsets through raw memory (src/agent/jvm/runtime_segment).
//
// The word of a thread says where its next callee would hang:
//
//   bits   63..24   23..0
//   word   code     number    of the calling frame's context; of the call site (site_numbers.h)
//
// A frame keeps its word with the number of its method's "no call site". A call adds the site's
// ordinal, an entry looks up what the site's codes become in the callee:
//
//   slots    4 bytes each, kIdSlots for every number, chosen by the callee's: the record used last,
//            as its distance from the records' start in records; 0 when there is none
//   recent   4 bytes each, 2 << kIdRecentLog, pairs by id_recent_pair(): records that calls needed
//            which did not find theirs in the slot
//   record   32 bytes, at a multiple of 32:
//
//   offset size field
//        0    8 first    codes from here on, << 24
//        8    8 length   as many, << 24; only ever grows
//       16    8 change   to be added to code << 24: gives the callee's frame word
//       24    4 callee   number of the callee's "no call site"; never 0
//       28    4 site     number of the call site
//
// Record 0 fits no call. A record is written before a slot names it and does not move or change its
// meaning, so probes need no lock: any record that fits a call is right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/ids.h"

namespace copse {

inline constexpr int kIdCodeShift = 24;
inline constexpr std::uint64_t kIdNumberMask = (std::uint64_t{1} << kIdCodeShift) - 1;
inline constexpr std::uint32_t kMostIdNumbers = std::uint32_t{1} << kIdCodeShift;
// ROOT has one code, 0, and no call sites. A frame with the lost number has no id: there was no
// memory for its record, or no code left. All numbers from there on are lost as well, one for each
// call site that such a frame's method may have.
inline constexpr std::uint32_t kRootNumber = 0;
inline constexpr std::uint32_t kLostNumber = kMostIdNumbers - (std::uint32_t{1} << 16);

inline constexpr std::uint32_t kIdSlots = 4;  // a power of two

constexpr std::size_t id_slot(std::uint64_t number, std::uint32_t callee) noexcept {
  return number * kIdSlots + (callee & (kIdSlots - 1));
}

inline constexpr int kIdRecentLog = 20;
inline constexpr std::uint64_t kIdRecentMultiplier = 0x9E37'79B9'7F4A'7C15;

// Of a word and the callee it is asked for.
constexpr std::uint32_t id_recent_pair(std::uint64_t word, std::uint32_t callee) noexcept {
  const std::uint64_t hash = (word ^ (std::uint64_t{callee} << 40)) * kIdRecentMultiplier;
  return static_cast<std::uint32_t>(hash >> (64 - kIdRecentLog));
}

// What a tool stores for a context: the code, and the method in the number's place.
constexpr std::uint64_t context_id(std::uint64_t code, MethodId method) noexcept {
  return (code << kIdCodeShift) | raw(method);
}
constexpr std::uint64_t id_code(std::uint64_t id) noexcept { return id >> kIdCodeShift; }
constexpr MethodId id_method(std::uint64_t id) noexcept {
  return MethodId{static_cast<std::uint32_t>(id & kIdNumberMask)};
}

struct IdRecord {
  std::uint64_t first;
  std::uint64_t length;
  std::uint64_t change;
  std::uint32_t callee;
  std::uint32_t site;
};

static_assert(sizeof(IdRecord) == 32 && std::is_trivially_copyable_v<IdRecord>);
static_assert(offsetof(IdRecord, length) == 8 && offsetof(IdRecord, change) == 16);
static_assert(offsetof(IdRecord, callee) == 24 && offsetof(IdRecord, site) == 28);

}  // namespace copse
