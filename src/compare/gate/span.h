// Intervals of possible values of a number.
#pragma once

#include "compare/gate/fraction.h"
#include "compare/gate/rule.h"

namespace copse::gate {

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
