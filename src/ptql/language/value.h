// Value of a field: an argument or a result, the number of an object, a name, a time.
//
// An object is a number that is unique in the run; 0 is null. Two objects are equal only if they are the same object.
// Compared with a text, a String counts as its text if it carries the text; compared with a number or a boolean, a box
// (java.lang.Integer) counts as its value.
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

  Value() = default;  // absent: the record does not have the field, or not yet
  static Value boolean(bool value);
  static Value integer(std::int64_t value);  // byte, short, int, long; char as its code
  static Value real(double value);
  static Value string(std::string text);
  static Value object(std::uint64_t number);
  static Value text_object(std::uint64_t number, std::string text);
  // Makes a box that contains a number or a boolean.
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
  // Returns the text of a string, or of an object that carries its text; nullptr for all others.
  const std::string* text() const noexcept { return text_.get(); }
  bool is_box() const noexcept { return inside_kind_ != Kind::kAbsent; }
  // Returns the number or boolean in a box; any other value unchanged.
  Value unboxed() const;

  // Bytes in addition to sizeof(Value).
  std::size_t heap_bytes() const noexcept;

 private:
  Kind kind_ = Kind::kAbsent;
  Kind inside_kind_ = Kind::kAbsent;  // kind of the value in a box
  union {
    std::int64_t integer_ = 0;
    double real_;
  };
  std::int64_t inside_bits_ = 0;  // value in a box: as integer_, or the bits of real_
  std::shared_ptr<const std::string> text_;
};

enum class Comparison : std::uint8_t { kLess, kAtMost, kEqual, kNotEqual, kAtLeast, kGreater };
std::string_view spelled(Comparison comparison);

// Compares two values. An absent value is in no relation to any other. Values of different types are unequal and
// unordered; objects and booleans are unordered. Numbers are compared exactly. As in Java, = and != compare two boxes
// by identity; the other comparisons use their values.
bool holds(const Value& left, Comparison comparison, const Value& right);

// Returns `left` + `right`, or `left` - `right`. Absent unless both are numbers or boxes of numbers. A result that does
// not fit a long becomes a real.
Value sum(const Value& left, const Value& right, bool minus);

// Kind of hash key. Equal values have equal keys; a value that equals no value has none. Do not mix fields that hold
// strings with fields that hold String objects: those are compared by text.
enum class Boxes : std::uint8_t {
  kObjects,  // keys are equal exactly when values are; boxes are never compared with numbers
  kValues,   // a box and its number have equal keys, and so do boxes of equal numbers
};
std::optional<Value> index_key(const Value& value, Boxes boxes);
struct KeyHash {
  std::size_t operator()(const Value& key) const noexcept;
};

// Returns true if kind and bits are the same: both values look the same and compare the same.
bool identical(const Value& left, const Value& right);

// Returns the text of a String object that carries it; else absent.
Value text_of(const Value& value);
// Returns a number or a boolean, or the one in a box; else absent.
Value primitive_of(const Value& value);

// Total order for sorting: absent values, booleans, numbers, strings, objects. Boxes are sorted by their values.
bool sorts_before(const Value& left, const Value& right);

// Formats a value for answers: 12, 1.5, true, 'text', object 7, object 7 'text', object 7 (12), null; "-" if absent.
std::string to_text(const Value& value);

}  // namespace copse::ptql
