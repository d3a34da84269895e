#include "compare/gate/span.h"

namespace copse::gate {
namespace {

// Returns the greatest whole number that is not above a finite fraction.
Wide whole_of(const Fraction& a) noexcept {
  return a.numerator / a.denominator - (a.numerator % a.denominator < 0 ? 1 : 0);
}

Truth is_more(const Span& a, const Span& b) noexcept {
  if (compare(a.least, b.greatest) > 0) return Truth::kYes;
  return compare(a.greatest, b.least) <= 0 ? Truth::kNo : Truth::kDepends;
}

Truth is_equal(const Span& a, const Span& b) noexcept {
  if (compare(a.least, b.greatest) > 0 || compare(a.greatest, b.least) < 0) return Truth::kNo;
  const bool are_points = compare(a.least, a.greatest) == 0 && compare(b.least, b.greatest) == 0;
  return are_points ? Truth::kYes : Truth::kDepends;
}

Truth negated(Truth truth) noexcept {
  return truth == Truth::kYes ? Truth::kNo : truth == Truth::kNo ? Truth::kYes : truth;
}

}  // namespace

Fraction quotient(std::uint64_t count, std::uint64_t divisor) noexcept {
  return divisor == 0 ? kInfinite : Fraction{Wide{count}, Wide{divisor}};
}

Fraction threshold(const Fraction& old_value, const Bound& bound) noexcept {
  const Wide digits = bound.digits, scale = bound.scale;
  if (bound.kind == Bound::Kind::kPlain) return {digits, scale};
  if (old_value.is_infinite()) return old_value;
  if (bound.kind == Bound::Kind::kChange) {
    return {old_value.numerator * scale + digits * old_value.denominator,
            old_value.denominator * scale};
  }
  return {old_value.numerator * (100 * scale + digits), old_value.denominator * 100 * scale};
}

std::strong_ordering compare(const Fraction& a, const Fraction& b) noexcept {
  if (a.is_infinite() || b.is_infinite()) return a.is_infinite() <=> b.is_infinite();
  const Wide whole_a = whole_of(a), whole_b = whole_of(b);
  if (whole_a != whole_b) return whole_a <=> whole_b;
  // Both rests are below 1. The larger one has the smaller reciprocal, and the reciprocal of 0 is infinite.
  return compare({b.denominator, b.numerator - whole_b * b.denominator},
                 {a.denominator, a.numerator - whole_a * a.denominator});
}

Span span_of(const CountSpan& count) noexcept {
  return {quotient(count.least, 1), count.is_bounded ? quotient(count.greatest, 1) : kInfinite};
}

Span span_of(const CountSpan& count, const CountSpan& divisor) noexcept {
  const bool has_most = count.is_bounded && divisor.least != 0;
  const bool has_least = divisor.is_bounded;
  return {has_least ? quotient(count.least, divisor.greatest) : Fraction{},
          has_most ? quotient(count.greatest, divisor.least) : kInfinite};
}

Span threshold(const Span& old_value, const Bound& bound) noexcept {
  return {threshold(old_value.least, bound), threshold(old_value.greatest, bound)};
}

Truth compare(const Span& a, Comparator comparator, const Span& b) noexcept {
  switch (comparator) {
    case Comparator::kMore:
      return is_more(a, b);
    case Comparator::kAtMost:
      return negated(is_more(a, b));
    case Comparator::kFewer:
      return is_more(b, a);
    case Comparator::kAtLeast:
      return negated(is_more(b, a));
    case Comparator::kEqual:
      return is_equal(a, b);
    case Comparator::kDifferent:
      return negated(is_equal(a, b));
  }
  return Truth::kDepends;
}

}  // namespace copse::gate
