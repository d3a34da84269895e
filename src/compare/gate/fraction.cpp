#include "compare/gate/fraction.h"

#include <utility>

namespace copse::gate {
namespace {

// REQUIRES: numerators >= 0, denominators > 0.
std::strong_ordering compare_positive(Fraction a, Fraction b) noexcept {
  while (true) {
    const Wide whole_a = a.numerator / a.denominator, whole_b = b.numerator / b.denominator;
    if (whole_a != whole_b) return whole_a <=> whole_b;
    a.numerator %= a.denominator;
    b.numerator %= b.denominator;
    if (a.numerator == 0 || b.numerator == 0) {
      return a.numerator == b.numerator ? std::strong_ordering::equal
             : a.numerator == 0         ? std::strong_ordering::less
                                        : std::strong_ordering::greater;
    }
    // Compares the reciprocals of the remainders, in reverse order.
    std::swap(a, b);
    std::swap(a.numerator, a.denominator);
    std::swap(b.numerator, b.denominator);
  }
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
  const bool below_a = a.numerator < 0, below_b = b.numerator < 0;
  if (below_a != below_b) {
    return below_a ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  if (!below_a) return compare_positive(a, b);
  return compare_positive({-b.numerator, b.denominator}, {-a.numerator, a.denominator});
}

}  // namespace copse::gate
