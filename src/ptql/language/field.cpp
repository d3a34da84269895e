#include "ptql/language/field.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>

#include "base/nearest.h"

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
    {Field::kParameters, "parameters", FieldType::kInteger, false},
    {Field::kParam, "param", FieldType::kVariant, false},
    {Field::kParamText, "param.text", FieldType::kString, false},
    {Field::kParamValue, "param.value", FieldType::kPrimitive, false},
    {Field::kResult, "result", FieldType::kVariant, true},
    {Field::kResultText, "result.text", FieldType::kString, true},
    {Field::kResultValue, "result.value", FieldType::kPrimitive, true},
    {Field::kResultIgnored, "result.ignored", FieldType::kBoolean, false},
    {Field::kThrown, "thrown", FieldType::kObject, true},
    {Field::kThrownType, "thrown.type", FieldType::kString, true},
    {Field::kCaller, "caller", FieldType::kString, false},
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
    {Field::kCompareToClass, "compareToClass", FieldType::kString, false},
    {Field::kReceiver, "receiver", FieldType::kObject, false},
    {Field::kContext, "context", FieldType::kString, false},
};

constexpr std::string_view kParameter = "param";

// Returns 17 for "param17.text"; std::nullopt if the name is not that of a parameter's field.
std::optional<std::uint32_t> number_in(std::string_view name, std::string_view behind) {
  if (!name.starts_with(kParameter) || !name.ends_with(behind)) return std::nullopt;
  name.remove_prefix(kParameter.size());
  const std::string_view digits =
      name.substr(0, name.size() - std::min(name.size(), behind.size()));
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
  const bool plain = digits == "0" || (!digits.empty() && digits[0] != '0');
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

std::string parameter_mistake(std::string_view name) {
  constexpr std::string_view kWords[] = {"parameter", "params", "param", "args", "arg", "argument"};
  std::string_view word;
  for (const std::string_view known : kWords) {
    if (name.starts_with(known) && known.size() > word.size()) word = known;
  }
  if (word.empty()) return "";
  std::string_view rest = name.substr(word.size());
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  std::string number(rest.substr(0, digits));
  rest.remove_prefix(digits);
  number.erase(0, std::min(number.find_first_not_of('0'), number.empty() ? 0 : number.size() - 1));
  std::string meant = std::string(kParameter) + (number.empty() ? "0" : number);
  if (number.size() > 3 || (number.size() == 3 && number >= std::to_string(kMostParameters))) {
    return "; a method has " + std::to_string(kMostParameters) +
           " parameters at most, param0 to param" + std::to_string(kMostParameters - 1);
  }
  if (rest == ".type" || rest == ".class" || rest == ".dynamicType") {
    return "; of an argument there are " + meant + ", " + meant + ".text and " + meant +
           ".value. Its class is the dynamicType of an ObjectAllocation o with o.receiver = x." +
           meant;
  }
  const std::string otherwise =
      "; parameters are numbered from 0: " + meant + ", " + meant + ".text, " + meant + ".value";
  if (number.empty()) return otherwise;
  if (rest.empty()) return "; did you mean " + meant + "?";
  return did_you_mean(meant + std::string(rest), {meant + ".text", meant + ".value"}, otherwise);
}

std::string_view meant_field(Relation relation, std::string_view name) {
  struct Meant {
    std::string_view name;
    std::string_view of_method;
    std::string_view of_object;
  };
  constexpr Meant kMeant[] = {
      {"class", "implementingClass", "dynamicType"},
      {"className", "implementingClass", "dynamicType"},
      {"type", "implementingClass", "dynamicType"},
      {"method", "methodName", ""},
      {"name", "methodName", ""},
      {"this", "receiver", "receiver"},
      {"self", "receiver", "receiver"},
      {"target", "receiver", "receiver"},
      {"object", "receiver", "receiver"},
      {"return", "result", ""},
      {"returned", "result", ""},
      {"returnValue", "result", ""},
      {"value", "result", ""},
      {"exception", "thrown", ""},
      {"threw", "thrown", ""},
      {"error", "thrown", ""},
      {"time", "startTime", "startTime"},
      {"start", "startTime", "startTime"},
      {"end", "endTime", "endTime"},
      {"stack", "context", "context"},
      {"caller", "", "context"},
      {"calledBy", "caller", "context"},
      {"threadName", "thread.name", "allocThread.name"},
      {"thread", "", "allocThread"},
      {"thread.name", "", "allocThread.name"},
      {"allocThread", "thread", ""},
      {"allocThread.name", "thread.name", ""},
  };
  const auto found = std::ranges::find(kMeant, name, &Meant::name);
  if (found == std::end(kMeant)) return "";
  return relation == Relation::kMethodInvocation ? found->of_method : found->of_object;
}

std::vector<std::string> field_names(Relation relation) {
  std::vector<std::string> names;
  for (const FieldFacts& facts : fields_of(relation)) {
    names.push_back(field_name(relation, facts.field, 0));
  }
  return names;
}

}  // namespace copse::ptql
