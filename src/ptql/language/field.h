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

// Fields with the same meaning in both relations appear once; allocThread is the kThread of an object.
enum class Field : std::uint8_t {
  kStartTime,  // stamps, unique to one event; the end of an object is its collection
  kEndTime,
  kRealStartTime,  // milliseconds of a clock that never goes back
  kRealEndTime,
  kMethodName,
  kDeclaringClass,     // the class that first declares the method
  kImplementingClass,  // the class whose code runs
  kReceiver,           // for an object: itself
  kThread,
  kThreadName,
  kParameters,  // number of parameters
  kParam,       // with a number, from 0
  kParamText,   // of a String
  kParamValue,  // a primitive, or the primitive in a box
  kResult,
  kResultText,
  kResultValue,
  kResultIgnored,  // the caller ignores the result; known at the START
  kThrown,         // the exception that ended the method
  kThrownType,     // its class
  kCaller,         // method whose code made the call, including methods of the JDK
  kContext,        // frames from the outermost on, separated by ';'
  kDynamicType,
  kEqualsClass,  // class whose equals() the object has
  kHashCodeClass,
  kCompareToClass,  // class whose compareTo() (of Comparable) the object has
};

enum class FieldType : std::uint8_t {
  kInteger,
  kString,
  kObject,
  kVariant,    // any type, depending on the method
  kPrimitive,  // a number or a boolean
  kBoolean,
};

struct FieldFacts {
  Field field;
  std::string_view name;  // "param", "param.text" and "param.value" without the number
  FieldType type;
  bool at_end;  // known only at the record's END
};

const FieldFacts& facts_of(Relation relation, Field field);
// `parameter`: number of a kParam or kParamText.
std::string field_name(Relation relation, Field field, std::uint32_t parameter);

constexpr bool is_parameter(Field field) {
  return field == Field::kParam || field == Field::kParamText || field == Field::kParamValue;
}
// Returns true for fields that are the name of a class.
constexpr bool is_class(Field field) {
  return field == Field::kDeclaringClass || field == Field::kImplementingClass ||
         field == Field::kThrownType || field == Field::kDynamicType ||
         field == Field::kEqualsClass || field == Field::kHashCodeClass ||
         field == Field::kCompareToClass;
}
// Returns true for fields that only methods with a result have.
constexpr bool is_about_result(Field field) {
  return field == Field::kResult || field == Field::kResultText || field == Field::kResultValue ||
         field == Field::kResultIgnored;
}
// Returns the field that holds the String of a text or the box of a value; for other fields, the field itself.
constexpr Field source_of(Field field) {
  if (field == Field::kParamText || field == Field::kParamValue) return Field::kParam;
  return field == Field::kResultText || field == Field::kResultValue ? Field::kResult : field;
}

struct NamedField {
  Field field;
  std::uint32_t parameter = 0;
};
// Returns std::nullopt if the relation has no field of that name. Also accepts startRealTime for realStartTime.
std::optional<NamedField> find_field(Relation relation, std::string_view name);
// Parameter numbers are below this.
inline constexpr std::uint32_t kMostParameters = 255;  // limit of class files
// Returns the problem of a name that begins like a parameter's but is no field, and suggests the field meant; "" for
// other names.
std::string parameter_mistake(std::string_view name);
// Returns the field that another word for it means; "" for other words.
std::string_view meant_field(Relation relation, std::string_view name);
// Returns the names to guess from, with 0 as the number of all parameters.
std::vector<std::string> field_names(Relation relation);

}  // namespace copse::ptql
