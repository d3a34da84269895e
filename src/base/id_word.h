// Id words in packets: beside a method's entry, the 64-bit word that an encoder's probes gave its
// frame, for the comparison of the two (src/encoders/validation).
//
// An id word is two records behind the record of the entry, a level below it: 32 bits each, in the
// fields for call site and method, with method ids that no method has. Other readers of packets
// (frame chains, hand-overs, counts) treat them as records of methods that call nothing and need
// not know of id words. A packet may therefore end between the two halves: the second half is then
// the first record of the next packet, and the first half is the last frame of that packet's start
// chain.
//
//   bits            63..40     39..24          23..16   15..0
//   upper           depth + 1  bits 47..32     0xFE     bits 63..48
//   lower           depth + 1  bits 15..0      0xFF     bits 31..16
//
// A frame that starts a thread leaves its word too, wherever it stands, with an upper half of its own: 0xFD.
//
// An upper half alone remains if the thread was stopped between the two: by a stack overflow, or by
// the end of recording. JIT-compiled code writes both (CopseIdWords.java).
#pragma once

#include <cstdint>

#include "base/call_record.h"
#include "base/ids.h"

namespace copse {

enum class IdWordHalf : std::uint32_t { kUpperOfStart = 0xFD, kUpper = 0xFE, kLower = 0xFF };

inline constexpr int kIdWordHalfShift = 16;
static_assert(kLastMethodId + 1 == static_cast<std::uint32_t>(IdWordHalf::kUpperOfStart)
                                       << kIdWordHalfShift);

constexpr bool is_id_word(CallRecord record_or_key) noexcept {
  return raw(method_of(record_or_key)) > kLastMethodId;
}
constexpr bool is_id_word_half(CallRecord record_or_key, IdWordHalf half) noexcept {
  return raw(method_of(record_or_key)) >> kIdWordHalfShift == static_cast<std::uint32_t>(half);
}

constexpr CallRecord id_word_record(std::uint32_t depth, IdWordHalf half,
                                    std::uint64_t word) noexcept {
  const auto bits = static_cast<std::uint32_t>(half == IdWordHalf::kLower ? word : word >> 32);
  return call_record(depth, SiteOrdinal{static_cast<std::uint16_t>(bits)},
                     MethodId{static_cast<std::uint32_t>(half) << kIdWordHalfShift | bits >> 16});
}

// Returns the word of two halves, given as records or keys.
constexpr std::uint64_t id_word(CallRecord upper, CallRecord lower) noexcept {
  const auto bits = [](CallRecord half) {
    return std::uint64_t{raw(method_of(half)) & 0xFFFFu} << 16 | raw(site_of(half));
  };
  return bits(upper) << 32 | bits(lower);
}

}  // namespace copse
