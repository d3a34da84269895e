// Quotients of counts, compared exactly, and intervals of their possible values.
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

// Needs no product, which would take 256 bits.
std::strong_ordering compare(const Fraction& a, const Fraction& b) noexcept;

// A closed interval.
struct Span {
  Fraction least, greatest;
};

struct CountSpan {
  std::uint64_t least = 0, greatest = 0;
  bool is_bounded = true;  // false means without upper bound; `greatest` has no meaning
};

Span span_of(const CountSpan& count) noexcept;
// Returns the interval of count / divisor; any value when both can be 0. REQUIRES: the divisor can
// be more than 0.
Span span_of(const CountSpan& count, const CountSpan& divisor) noexcept;
Span threshold(const Span& old_value, const Bound& bound) noexcept;

// Result of a comparison over all pairs of possible values.
enum class Truth { kYes, kNo, kDepends };
Truth compare(const Span& a, Comparator comparator, const Span& b) noexcept;

}  // namespace copse::gate
