// Counts for people. Print a number of things through counted(), in a sentence whose verb fits one
// and many.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace copse {

// Returns "1,234,567" for 1234567.
std::string grouped(std::uint64_t number);

// Returns "0 calls", "1 call", "1,234 calls". `many`: the plural; "" means `one` and an s.
std::string counted(std::uint64_t number, std::string_view one, std::string_view many = "");

}  // namespace copse
