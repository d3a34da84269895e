#include "ptql/engine/combined_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace copse::ptql {
namespace {

constexpr std::int64_t kDigitMask = 0xFFFFFFFF;

}  // namespace

bool CombinedValues::add(Aggregate aggregate, const Value& value) {
  const Value number = value.unboxed();
  if (!number.is_number()) {
    return !number.present() || (number.kind() == Value::Kind::kObject && number.as_object() == 0);
  }
  if (aggregate == Aggregate::kSum || aggregate == Aggregate::kAvg) {
    add_number(number);
    return true;
  }
  const bool is_real = number.kind() == Value::Kind::kReal;
  if (is_real && std::isnan(number.as_real())) return true;                        // in no order
  const Value candidate = is_real ? Value::real(number.as_real() + 0.0) : number;  // -0.0 is 0.0
  const Comparison better = aggregate == Aggregate::kMin ? Comparison::kLess : Comparison::kGreater;
  // Prefers the whole one of equal numbers, whichever came first.
  if (numbers_++ == 0 || holds(candidate, better, extreme_) ||
      (!is_real && holds(candidate, Comparison::kEqual, extreme_))) {
    extreme_ = candidate;
  }
  return true;
}

void CombinedValues::add_number(const Value& number) {
  ++numbers_;
  if (number.kind() == Value::Kind::kInteger) {
    whole_ += number.as_integer();
    return;
  }
  if (!reals_) reals_ = std::make_unique<ExactSum>();
  reals_->add(number.as_real());
}

double CombinedValues::sum() const {
  if (!reals_) return static_cast<double>(whole_);
  ExactSum all = *reals_;
  all.add(whole_);
  return all.rounded();
}

Value CombinedValues::result(Aggregate aggregate) const {
  if (numbers_ == 0) return {};
  if (aggregate == Aggregate::kMin || aggregate == Aggregate::kMax) return extreme_;
  if (aggregate == Aggregate::kAvg) return Value::real(sum() / static_cast<double>(numbers_));
  const bool fits = whole_ >= std::numeric_limits<std::int64_t>::min() &&
                    whole_ <= std::numeric_limits<std::int64_t>::max();
  return !reals_ && fits ? Value::integer(static_cast<std::int64_t>(whole_)) : Value::real(sum());
}

void ExactSum::add(double value) {
  if (!std::isfinite(value)) {
    special_ += value;
    return;
  }
  constexpr int kMantissaBits = 53;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  auto mantissa = static_cast<std::int64_t>(std::ldexp(fraction, kMantissaBits));
  int bit = exponent - kMantissaBits + kUnit;
  if (bit < 0) {  // a subnormal number, whose last bits are zero
    mantissa /= std::int64_t{1} << -bit;
    bit = 0;
  }
  add_at(mantissa, bit);
}

void ExactSum::add(__int128 value) {
  constexpr int kLowBits = 62;
  add_at(static_cast<std::int64_t>(value & ((__int128{1} << kLowBits) - 1)), kUnit);
  add_at(static_cast<std::int64_t>(value >> kLowBits), kUnit + kLowBits);
}

void ExactSum::add_at(std::int64_t value, int bit) {
  const auto digit = static_cast<std::size_t>(bit / 32);
  const __int128 shifted = __int128{value} << (bit % 32);
  digits_[digit] += static_cast<std::int64_t>(shifted) & kDigitMask;
  digits_[digit + 1] += static_cast<std::int64_t>(shifted >> 32) & kDigitMask;
  digits_[digit + 2] += static_cast<std::int64_t>(shifted >> 64);
  constexpr std::uint32_t kMostUncarried = 1u << 30;
  if (++uncarried_ == kMostUncarried) {
    carry(digits_);
    uncarried_ = 0;
  }
}

void ExactSum::carry(Digits& digits) {
  for (std::size_t i = 0; i + 1 < kDigits; ++i) {
    digits[i + 1] += digits[i] >> 32;
    digits[i] &= kDigitMask;
  }
}

double ExactSum::rounded() const {
  if (special_ != 0 || std::isnan(special_)) return special_;
  Digits digits = digits_;
  carry(digits);
  const bool is_negative = digits.back() < 0;
  if (is_negative) {
    for (std::int64_t& digit : digits) digit = -digit;
    carry(digits);
  }
  std::size_t top = kDigits;
  while (top > 0 && digits[top - 1] == 0) --top;
  if (top == 0) return 0;
  // The three highest digits have 65 bits at least, and the rest only decides between two equally near doubles.
  const std::size_t low = top > 3 ? top - 3 : 0;
  unsigned __int128 value = 0;
  for (std::size_t i = top; i > low; --i) {
    value = value << 32 | static_cast<std::uint64_t>(digits[i - 1]);
  }
  const bool has_rest =
      std::any_of(digits.begin(), digits.begin() + static_cast<std::ptrdiff_t>(low),
                  [](std::int64_t digit) { return digit != 0; });
  int bits = 0;
  while (value >> bits != 0) ++bits;
  constexpr int kMantissaBits = 53;
  const int dropped = std::max(0, bits - kMantissaBits);
  auto mantissa = static_cast<std::uint64_t>(value >> dropped);
  if (dropped > 0) {
    const unsigned __int128 half = static_cast<unsigned __int128>(1) << (dropped - 1);
    const unsigned __int128 remainder = value & (2 * half - 1);
    const bool is_above = remainder > half || (remainder == half && has_rest);
    if (is_above || (remainder == half && mantissa % 2 == 1)) ++mantissa;
  }
  const double sum =
      std::ldexp(static_cast<double>(mantissa), dropped + static_cast<int>(low) * 32 - kUnit);
  return is_negative ? -sum : sum;
}

}  // namespace copse::ptql
