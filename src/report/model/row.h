// Columns of a report name rows of others in 32 bits with a sign: -1 is none.
#pragma once

#include <cstddef>
#include <cstdint>

namespace copse::report {

// As an index; the row is one that exists.
inline std::size_t at(std::int32_t row) { return static_cast<std::size_t>(row); }

}  // namespace copse::report
