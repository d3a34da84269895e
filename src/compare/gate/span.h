// What is known of a number: that it lies between two others.
#pragma once

#include "compare/gate/fraction.h"
#include "compare/gate/rule.h"

namespace copse::gate {

// Both ends belong to it.
struct Span {
  Fraction least, greatest;
};

struct CountSpan {
  std::uint64_t least = 0, greatest = 0;
  bool is_bounded = true;  // false: `greatest` may be any number
};

Span span_of(const CountSpan& count) noexcept;
// Where both can be 0 the quotient can be anything. The divisor can be more than 0.
Span span_of(const CountSpan& count, const CountSpan& divisor) noexcept;
Span threshold(const Span& old_value, const Bound& bound) noexcept;

// Of all pairs of numbers that they may be.
enum class Truth { kYes, kNo, kDepends };
Truth compare(const Span& a, Comparator comparator, const Span& b) noexcept;

}  // namespace copse::gate
