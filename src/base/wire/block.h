// The frame of every binary file: a file header, then blocks (docs/binary-formats.md).
//
//   file header   "copse.KIND/N", CR, LF, 0x1a, N the version, at most 16 bytes; conversion of line
//                 ends damages it recognisably
//   block header  offset size field, little-endian
//                      0    4 length of the payload
//                      4    1 type, defined by the kind of file
//                      5    3 zero
//                      8    4 CRC-32C of the eight bytes above and the payload
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace copse::wire {

inline constexpr std::size_t kFileHeaderBytes = 16;  // at most; exactly for a KIND of five letters
inline constexpr std::size_t kBlockHeaderBytes = 12;
// Longest payload of a block, so that a damaged length costs no memory.
inline constexpr std::uint32_t kMostPayloadBytes = 1u << 24;

// Returns the part of a file header before the version.
constexpr std::string_view before_version(std::string_view file_header) {
  return file_header.substr(0, file_header.find('/') + 1);
}

using BlockHeaderBytes = std::array<std::uint8_t, kBlockHeaderBytes>;

}  // namespace copse::wire
