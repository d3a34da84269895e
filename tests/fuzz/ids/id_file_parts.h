// The schemes by their index, shared by the target and the maker of its corpus.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace copse::ids {

inline constexpr std::array<std::string_view, 6> kIdSchemes = {"segment", "pcce",  "deltapath",
                                                               "rcce",    "dacce", "luce"};
inline constexpr std::uint8_t kWholeFile = 0xFF;

}  // namespace copse::ids
