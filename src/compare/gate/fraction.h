// Quotients of counts, compared exactly.
#pragma once

#include <compare>
#include <cstdint>

#include "compare/gate/rule.h"

namespace copse::gate {

using Wide = __int128;

// numerator / denominator; denominator 0 (with a numerator above 0) is more than any number. Not
// reduced: at most 2^126 either.
struct Fraction {
  Wide numerator = 0;
  Wide denominator = 1;

  bool is_infinite() const noexcept { return denominator == 0; }
};

// `count` by `divisor`, one of which is not 0.
Fraction quotient(std::uint64_t count, std::uint64_t divisor) noexcept;
inline constexpr Fraction kInfinite{1, 0};

// What NEW's value is compared with, where OLD's is `old_value` (not looked at by a plain bound).
Fraction threshold(const Fraction& old_value, const Bound& bound) noexcept;

// By continued fractions, so that no product is needed.
std::strong_ordering compare(const Fraction& a, const Fraction& b) noexcept;

}  // namespace copse::gate
