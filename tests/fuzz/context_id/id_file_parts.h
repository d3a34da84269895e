// What the target and the maker of its corpus agree on: the sections of an id file
// (docs/formats.md) and the schemes by their index.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace copse {

inline constexpr std::string_view kIdFileLine = "copse.ids/1\n";
inline constexpr std::uint32_t kSchemeTag = 0x5343484D;
inline constexpr std::uint32_t kStateTag = 0x53544154;
inline constexpr std::uint32_t kPiecesTag = 0x50494543;
inline constexpr std::uint32_t kNamesTag = 0x4E414D45;
inline constexpr std::uint32_t kEndTag = 0x454E4420;
inline constexpr std::array<std::string_view, 6> kIdSchemes = {"segment", "pcce",  "deltapath",
                                                               "rcce",    "dacce", "luce"};
inline constexpr std::uint8_t kWholeFile = 0xFF;

}  // namespace copse
