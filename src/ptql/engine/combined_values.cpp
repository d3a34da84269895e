#include "ptql/engine/combined_values.h"

#include <cmath>
#include <limits>

namespace copse::ptql {

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

}  // namespace copse::ptql
