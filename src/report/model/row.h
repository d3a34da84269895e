// Rows as signed 32-bit numbers, as in a report's columns; -1 means none.
#pragma once

#include <cstddef>
#include <cstdint>

namespace copse::report {

// Converts a row to an index. REQUIRES: row >= 0.
inline std::size_t at(std::int32_t row) { return static_cast<std::size_t>(row); }

}  // namespace copse::report
