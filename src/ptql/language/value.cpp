#include "ptql/language/value.h"

#include <bit>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "base/shortest_digits.h"

namespace copse::ptql {
namespace {

using Kind = Value::Kind;

constexpr double kTwoTo63 = 9223372036854775808.0;

enum class Ordering : std::uint8_t { kLess, kEqual, kGreater, kDifferent };

template <typename T>
Ordering ordered(const T& left, const T& right) {
  if (left == right) return Ordering::kEqual;
  if (left < right) return Ordering::kLess;
  return right < left ? Ordering::kGreater : Ordering::kDifferent;  // NaN is in no order
}

Ordering reversed(Ordering relation) {
  if (relation == Ordering::kLess) return Ordering::kGreater;
  return relation == Ordering::kGreater ? Ordering::kLess : relation;
}

Ordering integer_to_real(std::int64_t integer, double real) {
  if (std::isnan(real)) return Ordering::kDifferent;
  if (real >= kTwoTo63) return Ordering::kLess;
  if (real < -kTwoTo63) return Ordering::kGreater;
  const auto whole = static_cast<std::int64_t>(real);
  if (whole != integer) return ordered(integer, whole);
  return ordered(0.0, real - static_cast<double>(whole));
}

Ordering numbers(const Value& left, const Value& right) {
  if (left.kind() == Kind::kInteger && right.kind() == Kind::kInteger) {
    return ordered(left.as_integer(), right.as_integer());
  }
  if (left.kind() == Kind::kInteger) return integer_to_real(left.as_integer(), right.as_real());
  if (right.kind() == Kind::kInteger) {
    return reversed(integer_to_real(right.as_integer(), left.as_real()));
  }
  return ordered(left.as_real(), right.as_real());
}

// REQUIRES: both values are present.
Ordering relate(const Value& left, const Value& right) {
  const bool is_object = left.kind() == Kind::kObject;
  if (is_object != (right.kind() == Kind::kObject) && (left.is_box() || right.is_box())) {
    return relate(left.unboxed(), right.unboxed());
  }
  if (left.is_number() && right.is_number()) return numbers(left, right);
  const bool is_string = left.kind() == Kind::kString || right.kind() == Kind::kString;
  if (is_string && left.text() != nullptr && right.text() != nullptr) {
    return ordered(*left.text(), *right.text());
  }
  const bool same = left.kind() == right.kind() && left.as_integer() == right.as_integer();
  return same && !is_string && !left.is_number() ? Ordering::kEqual : Ordering::kDifferent;
}

// Returns true if equal values of these kinds are ordered, so that <= holds.
bool has_order(const Value& left, const Value& right) {
  return left.is_number() || left.kind() == Kind::kString || right.kind() == Kind::kString;
}

}  // namespace

Value Value::boolean(bool value) {
  Value made;
  made.kind_ = Kind::kBoolean;
  made.integer_ = value ? 1 : 0;
  return made;
}

Value Value::integer(std::int64_t value) {
  Value made;
  made.kind_ = Kind::kInteger;
  made.integer_ = value;
  return made;
}

Value Value::real(double value) {
  Value made;
  made.kind_ = Kind::kReal;
  made.real_ = value;
  return made;
}

Value Value::string(std::string text) {
  Value made;
  made.kind_ = Kind::kString;
  made.text_ = std::make_shared<const std::string>(std::move(text));
  return made;
}

Value Value::object(std::uint64_t number) {
  Value made;
  made.kind_ = Kind::kObject;
  made.integer_ = static_cast<std::int64_t>(number);
  return made;
}

Value Value::text_object(std::uint64_t number, std::string text) {
  Value made = object(number);
  made.text_ = std::make_shared<const std::string>(std::move(text));
  return made;
}

Value Value::box(std::uint64_t number, const Value& inside) {
  Value made = object(number);
  made.inside_kind_ = inside.kind_;
  made.inside_bits_ =
      inside.kind_ == Kind::kReal ? std::bit_cast<std::int64_t>(inside.real_) : inside.integer_;
  return made;
}

Value Value::unboxed() const {
  switch (inside_kind_) {
    case Kind::kBoolean:
      return boolean(inside_bits_ != 0);
    case Kind::kInteger:
      return integer(inside_bits_);
    case Kind::kReal:
      return real(std::bit_cast<double>(inside_bits_));
    default:
      return *this;
  }
}

std::size_t Value::heap_bytes() const noexcept {
  constexpr std::size_t kCounts = 16;  // of the shared text
  return text_ ? sizeof(std::string) + kCounts + text_->capacity() : 0;
}

std::string_view spelled(Comparison comparison) {
  constexpr std::string_view kSpelled[] = {"<", "<=", "=", "!=", ">=", ">"};
  return kSpelled[static_cast<std::size_t>(comparison)];
}

bool holds(const Value& left, Comparison comparison, const Value& right) {
  if (!left.present() || !right.present()) return false;
  const bool asks_for_order =
      comparison != Comparison::kEqual && comparison != Comparison::kNotEqual;
  if (asks_for_order && (left.is_box() || right.is_box())) {
    return holds(left.unboxed(), comparison, right.unboxed());
  }
  const Ordering relation = relate(left, right);
  switch (comparison) {
    case Comparison::kLess:
      return relation == Ordering::kLess;
    case Comparison::kGreater:
      return relation == Ordering::kGreater;
    case Comparison::kEqual:
      return relation == Ordering::kEqual;
    case Comparison::kNotEqual:
      return relation != Ordering::kEqual;
    case Comparison::kAtMost:
      return relation == Ordering::kLess ||
             (relation == Ordering::kEqual && has_order(left, right));
    case Comparison::kAtLeast:
      return relation == Ordering::kGreater ||
             (relation == Ordering::kEqual && has_order(left, right));
  }
  return false;
}

Value sum(const Value& left_side, const Value& right_side, bool minus) {
  const Value left = left_side.unboxed();
  const Value right = right_side.unboxed();
  if (!left.is_number() || !right.is_number()) return {};
  if (left.kind() == Kind::kInteger && right.kind() == Kind::kInteger) {
    std::int64_t exact = 0;
    const bool overflow =
        minus ? __builtin_sub_overflow(left.as_integer(), right.as_integer(), &exact)
              : __builtin_add_overflow(left.as_integer(), right.as_integer(), &exact);
    if (!overflow) return Value::integer(exact);
  }
  const auto as_double = [](const Value& value) {
    return value.kind() == Kind::kInteger ? static_cast<double>(value.as_integer())
                                          : value.as_real();
  };
  return Value::real(as_double(left) + (minus ? -as_double(right) : as_double(right)));
}

std::optional<Value> index_key(const Value& value, Boxes boxes) {
  switch (value.kind()) {
    case Kind::kAbsent:
      return std::nullopt;
    case Kind::kObject: {
      const std::optional<Value> inside = boxes == Boxes::kValues && value.is_box()
                                              ? index_key(value.unboxed(), boxes)
                                              : std::nullopt;
      // A box of NaN is equal to itself, and NaN to nothing.
      return inside ? inside : Value::object(value.as_object());
    }
    case Kind::kReal: {
      const double real = value.as_real();
      if (std::isnan(real)) return std::nullopt;
      if (real >= -kTwoTo63 && real < kTwoTo63 && std::trunc(real) == real) {
        return Value::integer(static_cast<std::int64_t>(real));
      }
      return value;
    }
    default:
      return value;
  }
}

std::size_t KeyHash::operator()(const Value& key) const noexcept {
  if (key.kind() == Kind::kString) return std::hash<std::string>()(*key.text());
  // Spreads numbers that differ in few bits over all buckets.
  const std::uint64_t bits =
      (static_cast<std::uint64_t>(key.kind() == Kind::kReal
                                      ? std::bit_cast<std::int64_t>(key.as_real())
                                      : key.as_integer()) ^
       (std::uint64_t{static_cast<std::uint8_t>(key.kind())} << 60)) *
      0x9E3779B97F4A7C15u;
  return static_cast<std::size_t>(bits ^ (bits >> 32));
}

bool identical(const Value& left, const Value& right) {
  if (left.kind() != right.kind()) return false;
  if (left.kind() == Value::Kind::kReal) {
    return std::bit_cast<std::uint64_t>(left.as_real()) ==
           std::bit_cast<std::uint64_t>(right.as_real());
  }
  if (left.kind() == Value::Kind::kString) return *left.text() == *right.text();
  return !left.present() || left.as_integer() == right.as_integer();
}

Value text_of(const Value& value) {
  Value text;
  if (value.kind() != Kind::kObject || value.text() == nullptr) return text;
  text.kind_ = Kind::kString;
  text.text_ = value.text_;
  return text;
}

Value primitive_of(const Value& value) {
  const Value inside = value.unboxed();
  return inside.is_number() || inside.kind() == Kind::kBoolean ? inside : Value();
}

bool sorts_before(const Value& left_side, const Value& right_side) {
  const auto rank = [](const Value& value) {
    return value.kind() == Kind::kReal ? Kind::kInteger : value.kind();
  };
  // Boxes with equal values are in the order of their objects, behind plain values.
  const auto box_before = [&] {
    return right_side.is_box() &&
           (!left_side.is_box() || left_side.as_object() < right_side.as_object());
  };
  const Value left = left_side.unboxed();
  const Value right = right_side.unboxed();
  if (rank(left) != rank(right)) return rank(left) < rank(right);
  if (left.is_number()) {
    const auto is_nan = [](const Value& value) {
      return value.kind() == Kind::kReal && std::isnan(value.as_real());
    };
    if (is_nan(left) != is_nan(right)) return is_nan(left);
    const Ordering order = is_nan(left) ? Ordering::kEqual : numbers(left, right);
    return order == Ordering::kEqual ? box_before() : order == Ordering::kLess;
  }
  if (left.kind() == Kind::kString) return *left.text() < *right.text();
  if (left.as_object() == right.as_object()) return box_before();
  return left.as_object() < right.as_object();
}

std::string to_text(const Value& value) {
  switch (value.kind()) {
    case Kind::kAbsent:
      return "-";
    case Kind::kBoolean:
      return value.as_boolean() ? "true" : "false";
    case Kind::kInteger:
      return std::to_string(value.as_integer());
    case Kind::kReal: {
      const double real = value.as_real();  // as Java shows it
      if (std::isnan(real)) return "NaN";
      if (std::isinf(real)) return real < 0 ? "-Infinity" : "Infinity";
      const std::string text = shortest_digits(real);
      // Not like an integer.
      return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
    }
    case Kind::kString:
      return "'" + *value.text() + "'";
    case Kind::kObject:
      break;
  }
  if (value.as_object() == 0) return "null";
  const std::string number = "object " + std::to_string(value.as_object());
  if (value.is_box()) return number + " (" + to_text(value.unboxed()) + ")";
  return value.text() == nullptr ? number : number + " '" + *value.text() + "'";
}

}  // namespace copse::ptql
