// Amounts that tests add to one column.
#pragma once

#include <array>
#include <cstdint>

#include "cct/measured_contexts.h"

namespace copse::test {

inline std::array<cct::ColumnAmount, 1> in_column(std::size_t column, std::uint64_t amount) {
  return {{{column, amount}}};
}

}  // namespace copse::test
