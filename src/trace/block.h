// The frame of a binary trace, and of other files made of blocks: a file header, then blocks
// (docs/formats.md).
//
//   file header   16 bytes: "copse.trace/1", CR, LF, 0x1a; damaged by whoever "converts" line ends.
//                 Another kind of file has another word in the place of "trace"
//   block header  offset size field, little-endian
//                      0    4 length of the payload
//                      4    1 type
//                      5    3 zero
//                      8    4 CRC-32C of the eight bytes above and the payload
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace copse::trace {

inline constexpr std::string_view kFileHeader("copse.trace/1\r\n\x1a", 16);
inline constexpr std::size_t kAnyVersionBytes = 12;  // of a header: before the version
inline constexpr std::string_view kFileHeaderOfAnyVersion = kFileHeader.substr(0, kAnyVersionBytes);
inline constexpr std::size_t kBlockHeaderBytes = 12;
// No block is longer, so that a damaged length costs no memory.
inline constexpr std::uint32_t kMostPayloadBytes = 1u << 24;

enum class BlockType : std::uint8_t {
  kProgram = 1,  // what is known when recording starts
  kNames = 2,    // methods and call sites first named from here on
  kThread = 3,   // a thread's start, name or end
  kCalls = 4,    // calls of one thread: a packet, or part of one
  kEvents = 5,   // single events of one thread
  kSkipped = 6,  // classes and methods that are not (all) in the trace
  kEnd = 7,      // totals; nothing follows
};

struct BlockHeader {
  std::uint32_t length = 0;
  std::uint8_t type = 0;
  std::uint32_t checksum = 0;
};

using BlockHeaderBytes = std::array<std::uint8_t, kBlockHeaderBytes>;

}  // namespace copse::trace
