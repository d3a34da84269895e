// A bound on memory that no test reaches.
#pragma once

#include <cstdint>

namespace copse::test {

inline constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30;

}  // namespace copse::test
