// Quotients of counts, compared exactly.
#pragma once

#include <compare>
#include <cstdint>

#include "compare/gate/rule.h"

namespace copse::gate {

using Wide = __int128;

// numerator / denominator, not reduced, both at most 2^126. Denominator 0 (with a numerator above
// 0) means greater than any number.
struct Fraction {
  Wide numerator = 0;
  Wide denominator = 1;

  bool is_infinite() const noexcept { return denominator == 0; }
};

// Returns count / divisor. REQUIRES: one of them is not 0.
Fraction quotient(std::uint64_t count, std::uint64_t divisor) noexcept;
inline constexpr Fraction kInfinite{1, 0};

// Returns the bound for NEW's value. `old_value` is OLD's value; a kPlain bound ignores it.
Fraction threshold(const Fraction& old_value, const Bound& bound) noexcept;

// Compares by continued fractions, which need no product.
std::strong_ordering compare(const Fraction& a, const Fraction& b) noexcept;

}  // namespace copse::gate
