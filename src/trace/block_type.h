// Block types of a binary trace (base/wire/block.h, docs/binary-formats.md).
#pragma once

#include <cstdint>
#include <string_view>

#include "base/wire/block.h"

namespace copse::trace {

inline constexpr std::string_view kFileHeader("copse.trace/1\r\n\x1a", wire::kFileHeaderBytes);
inline constexpr std::string_view kFileHeaderOfAnyVersion = wire::before_version(kFileHeader);

enum class BlockType : std::uint8_t {
  kProgram = 1,  // facts known when recording starts
  kNames = 2,    // methods and call sites first named from here on
  kThread = 3,   // a thread's start, name or end
  kCalls = 4,    // calls of one thread: a packet, or part of one
  kSkipped = 6,  // classes and methods that are not (all) in the trace
  kEnd = 7,      // totals; nothing follows
};

}  // namespace copse::trace
