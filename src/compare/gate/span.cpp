#include "compare/gate/span.h"

namespace copse::gate {
namespace {

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
