// The frame of every binary file that is appended to while a program runs: a file header, then
// blocks (docs/formats.md).
//
//   file header   16 bytes: "copse.KIND/1", CR, LF, 0x1a, KIND in five letters; damaged by whoever
//                 "converts" line ends
//   block header  offset size field, little-endian
//                      0    4 length of the payload
//                      4    1 type, the file's own
//                      5    3 zero
//                      8    4 CRC-32C of the eight bytes above and the payload
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace copse::wire {

inline constexpr std::size_t kFileHeaderBytes = 16;
inline constexpr std::size_t kAnyVersionBytes = 12;  // of a file header: before the version
inline constexpr std::size_t kBlockHeaderBytes = 12;
// No block is longer, so that a damaged length costs no memory.
inline constexpr std::uint32_t kMostPayloadBytes = 1u << 24;

using BlockHeaderBytes = std::array<std::uint8_t, kBlockHeaderBytes>;

}  // namespace copse::wire
