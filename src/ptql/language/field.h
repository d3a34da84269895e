// The two relations of a query, and the fields of their records.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse::ptql {

enum class Relation : std::uint8_t { kMethodInvocation, kObjectAllocation };
std::string_view relation_name(Relation relation);

// In both relations where they mean the same; allocThread is the kThread of an object.
enum class Field : std::uint8_t {
  kStartTime,  // stamps, each given to one event; the end of an object is its collection
  kEndTime,
  kRealStartTime,  // milliseconds of a clock that never goes back
  kRealEndTime,
  kMethodName,
  kDeclaringClass,     // the class that first declares the method
  kImplementingClass,  // the class whose code runs
  kReceiver,           // of an object: itself
  kThread,
  kThreadName,
  kParameters,  // how many there are
  kParam,       // with a number, from 0
  kParamText,   // of a String
  kParamValue,  // a primitive, or the one in a box
  kResult,
  kResultText,
  kResultValue,
  kResultIgnored,  // by the caller: known at the START
  kThrown,         // the exception that ended the method
  kThrownType,     // its class
  kCaller,         // the method whose code called it, of the JDK, too
  kContext,        // frames from the outermost on, with ';' between them
  kDynamicType,
  kEqualsClass,  // whose equals() the object has
  kHashCodeClass,
  kCompareToClass,  // the class of the compareTo() that Comparable has of it
};

enum class FieldType : std::uint8_t {
  kInteger,
  kString,
  kObject,
  kVariant,    // whatever the method has there
  kPrimitive,  // a number or a boolean
  kBoolean,
};

struct FieldFacts {
  Field field;
  std::string_view name;  // "param", "param.text" and "param.value" without the number
  FieldType type;
  bool at_end;  // known only when the record's END has happened
};

const FieldFacts& facts_of(Relation relation, Field field);
// With `parameter` the number of a kParam or kParamText.
std::string field_name(Relation relation, Field field, std::uint32_t parameter);

constexpr bool is_parameter(Field field) {
  return field == Field::kParam || field == Field::kParamText || field == Field::kParamValue;
}
// True for fields that only methods with a result have.
constexpr bool is_about_result(Field field) {
  return field == Field::kResult || field == Field::kResultText || field == Field::kResultValue ||
         field == Field::kResultIgnored;
}
// A text and a value are read off the field that has the String or the box; any other field is its own
// source.
constexpr Field source_of(Field field) {
  if (field == Field::kParamText || field == Field::kParamValue) return Field::kParam;
  return field == Field::kResultText || field == Field::kResultValue ? Field::kResult : field;
}

struct NamedField {
  Field field;
  std::uint32_t parameter = 0;
};
// Nothing when the relation has none of that name. Takes startRealTime for realStartTime, too.
std::optional<NamedField> find_field(Relation relation, std::string_view name);
// The numbers of parameters: below it.
inline constexpr std::uint32_t kMostParameters = 255;  // of a method of a class file
// Returns the problem of a name that begins like a parameter's and is no field, with the field meant; "" for other
// names.
std::string parameter_mistake(std::string_view name);
// Returns the field that another word for it names; "" for other words.
std::string_view meant_field(Relation relation, std::string_view name);
// For guesses: with 0 for the numbers of all parameters.
std::vector<std::string> field_names(Relation relation);

}  // namespace copse::ptql
