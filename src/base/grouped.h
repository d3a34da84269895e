// Counts as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace copse {

// 1234567 -> "1,234,567".
std::string grouped(std::uint64_t number);

}  // namespace copse
