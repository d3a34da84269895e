// A value of a field: what a method was given or gave back, the number of an object, a name, a time.
//
// An object is its number, which stands for it alone during the whole run; 0 is null. Two objects are
// equal only when they are the same one. Compared with a text a String counts as its text, where it
// carries that; compared with a number or a boolean a box (java.lang.Integer) counts as its value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace copse::ptql {

class Value {
 public:
  enum class Kind : std::uint8_t { kAbsent, kBoolean, kInteger, kReal, kString, kObject };

  Value() = default;  // absent: the record has no such field, or not yet
  static Value boolean(bool value);
  static Value integer(std::int64_t value);  // byte, short, int, long, and char as its code
  static Value real(double value);
  static Value string(std::string text);
  static Value object(std::uint64_t number);
  static Value text_object(std::uint64_t number, std::string text);
  // A box with a number or a boolean in it.
  static Value box(std::uint64_t number, const Value& inside);
  static Value null() { return object(0); }
  friend Value text_of(const Value& value);

  Kind kind() const noexcept { return kind_; }
  bool present() const noexcept { return kind_ != Kind::kAbsent; }
  bool is_number() const noexcept { return kind_ == Kind::kInteger || kind_ == Kind::kReal; }
  bool as_boolean() const noexcept { return integer_ != 0; }
  std::int64_t as_integer() const noexcept { return integer_; }
  double as_real() const noexcept { return real_; }
  std::uint64_t as_object() const noexcept { return static_cast<std::uint64_t>(integer_); }
  // Of a string, or an object that carries its text; nullptr of all others.
  const std::string* text() const noexcept { return text_.get(); }
  bool is_box() const noexcept { return inside_kind_ != Kind::kAbsent; }
  // Returns the number or boolean in a box; every other value as it is.
  Value unboxed() const;

  // Bytes besides the value itself.
  std::size_t heap_bytes() const noexcept;

 private:
  Kind kind_ = Kind::kAbsent;
  Kind inside_kind_ = Kind::kAbsent;  // of a box
  union {
    std::int64_t integer_ = 0;
    double real_;
  };
  std::int64_t inside_bits_ = 0;  // likewise: as integer_, or those of real_
  std::shared_ptr<const std::string> text_;
};

enum class Comparison : std::uint8_t { kLess, kAtMost, kEqual, kNotEqual, kAtLeast, kGreater };
std::string_view spelled(Comparison comparison);

// An absent value is in no relation to any other. Values of different types are different, and in
// no order; nor are objects, and booleans. Numbers are compared exactly. As in Java, = and != compare two
// boxes by identity, and the others by their values.
bool holds(const Value& left, Comparison comparison, const Value& right);

// `left` + `right`, or minus. Absent unless both are numbers, or boxes of numbers. What no long holds
// becomes a real.
Value sum(const Value& left, const Value& right, bool minus);

// Equal for two values that are equal. Nothing for what equals no value. Of fields that hold strings
// and fields that hold String objects it must not be mixed: those are compared by text.
enum class Boxes : std::uint8_t {
  kObjects,  // keys are equal exactly when values are; no box is compared with a number
  kValues,  // those of a box and of the number in it are equal, and so are those of boxes of one number
};
std::optional<Value> index_key(const Value& value, Boxes boxes);
struct KeyHash {
  std::size_t operator()(const Value& key) const noexcept;
};

// The same kind of value, bit by bit: what is shown, and decides comparisons, is the same.
bool identical(const Value& left, const Value& right);

// The text of a String object that carries it; else absent.
Value text_of(const Value& value);
// Returns a number or a boolean, or the one in a box; else absent.
Value primitive_of(const Value& value);

// A total order for sorting: absent values, booleans, numbers, strings, objects. Boxes are sorted by their
// values.
bool sorts_before(const Value& left, const Value& right);

// As answers show it: 12, 1.5, true, 'text', object 7, object 7 'text', object 7 (12), null; "-" when
// absent.
std::string to_text(const Value& value);

}  // namespace copse::ptql
