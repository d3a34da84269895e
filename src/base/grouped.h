// Counts as people read them. Whoever prints a number of things uses counted(), and words the
// sentence so that its verb goes with one and with many.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace copse {

// 1234567 -> "1,234,567".
std::string grouped(std::uint64_t number);

// "0 calls", "1 call", "1,234 calls". `many`: where that is not `one` and an s.
std::string counted(std::uint64_t number, std::string_view one, std::string_view many = "");

}  // namespace copse
