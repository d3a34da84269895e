#include "ptql/field.h"

#include <algorithm>
#include <charconv>
#include <span>

namespace copse::ptql {
namespace {

constexpr FieldFacts kMethodFields[] = {
    {Field::kStartTime, "startTime", FieldType::kInteger, false},
    {Field::kEndTime, "endTime", FieldType::kInteger, true},
    {Field::kRealStartTime, "realStartTime", FieldType::kInteger, false},
    {Field::kRealEndTime, "realEndTime", FieldType::kInteger, true},
    {Field::kMethodName, "methodName", FieldType::kString, false},
    {Field::kDeclaringClass, "declaringClass", FieldType::kString, false},
    {Field::kImplementingClass, "implementingClass", FieldType::kString, false},
    {Field::kReceiver, "receiver", FieldType::kObject, false},
    {Field::kThread, "thread", FieldType::kObject, false},
    {Field::kThreadName, "thread.name", FieldType::kString, false},
    {Field::kParam, "param", FieldType::kVariant, false},
    {Field::kParamText, "param.text", FieldType::kString, false},
    {Field::kResult, "result", FieldType::kVariant, true},
    {Field::kResultText, "result.text", FieldType::kString, true},
    {Field::kThrown, "thrown", FieldType::kObject, true},
    {Field::kThrownType, "thrown.type", FieldType::kString, true},
    {Field::kContext, "context", FieldType::kString, false},
};

constexpr FieldFacts kObjectFields[] = {
    {Field::kStartTime, "startTime", FieldType::kInteger, false},
    {Field::kEndTime, "endTime", FieldType::kInteger, true},
    {Field::kRealStartTime, "realStartTime", FieldType::kInteger, false},
    {Field::kRealEndTime, "realEndTime", FieldType::kInteger, true},
    {Field::kThread, "allocThread", FieldType::kObject, false},
    {Field::kThreadName, "allocThread.name", FieldType::kString, false},
    {Field::kDynamicType, "dynamicType", FieldType::kString, false},
    {Field::kEqualsClass, "equalsClass", FieldType::kString, false},
    {Field::kHashCodeClass, "hashCodeClass", FieldType::kString, false},
    {Field::kReceiver, "receiver", FieldType::kObject, false},
    {Field::kContext, "context", FieldType::kString, false},
};

constexpr std::string_view kParameter = "param";

// Of "param17.text"; nothing where this is no name of a parameter's field.
std::optional<std::uint32_t> number_in(std::string_view name, std::string_view behind) {
  if (!name.starts_with(kParameter) || !name.ends_with(behind)) return std::nullopt;
  name.remove_prefix(kParameter.size());
  const std::string_view digits =
      name.substr(0, name.size() - std::min(name.size(), behind.size()));
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
  const bool plain = digits == "0" || (!digits.empty() && digits[0] != '0');
  constexpr std::uint32_t kMostParameters = 255;  // of a method of a class file
  if (!plain || error != std::errc() || end != digits.end() || number >= kMostParameters) {
    return std::nullopt;
  }
  return number;
}

std::span<const FieldFacts> fields_of(Relation relation) {
  if (relation == Relation::kMethodInvocation) return kMethodFields;
  return kObjectFields;
}

}  // namespace

std::string_view relation_name(Relation relation) {
  return relation == Relation::kMethodInvocation ? "MethodInvocation" : "ObjectAllocation";
}

const FieldFacts& facts_of(Relation relation, Field field) {
  const std::span<const FieldFacts> fields = fields_of(relation);
  for (const FieldFacts& facts : fields) {
    if (facts.field == field) return facts;
  }
  return fields.front();  // find_field() gives none that is not there
}

std::string field_name(Relation relation, Field field, std::uint32_t parameter) {
  std::string name(facts_of(relation, field).name);
  return is_parameter(field) ? name.insert(kParameter.size(), std::to_string(parameter)) : name;
}

std::optional<NamedField> find_field(Relation relation, std::string_view name) {
  if (name == "startRealTime") name = "realStartTime";
  if (name == "endRealTime") name = "realEndTime";
  for (const FieldFacts& facts : fields_of(relation)) {
    if (!is_parameter(facts.field)) {
      if (facts.name == name) return NamedField{facts.field};
    } else if (const auto number = number_in(name, facts.name.substr(kParameter.size()))) {
      return NamedField{facts.field, *number};
    }
  }
  return std::nullopt;
}

std::vector<std::string> field_names(Relation relation) {
  std::vector<std::string> names;
  for (const FieldFacts& facts : fields_of(relation)) {
    names.push_back(field_name(relation, facts.field, 0));
  }
  return names;
}

}  // namespace copse::ptql
