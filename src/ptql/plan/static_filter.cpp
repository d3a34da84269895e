#include "ptql/plan/static_filter.h"

#include <algorithm>

#include "ptql/language/predicate_value.h"

namespace copse::ptql {
namespace {

bool is_name(Field field) {
  return field == Field::kMethodName || field == Field::kDeclaringClass ||
         field == Field::kImplementingClass || field == Field::kDynamicType ||
         field == Field::kParameters;
}

bool only_names(const Predicate& predicate) {
  const std::vector<FieldReference> fields = fields_of(predicate);
  return std::all_of(fields.begin(), fields.end(), [&fields](const FieldReference& reference) {
    return is_name(reference.field) && reference.identifier == fields.front().identifier;
  });
}

bool names_field(const Predicate& predicate, Field field) {
  const std::vector<FieldReference> fields = fields_of(predicate);
  return std::any_of(fields.begin(), fields.end(),
                     [field](const FieldReference& reference) { return reference.field == field; });
}

// Returns true if an `=`, `=~` or GLOB predicate spells the name of sections. A pattern that takes every name does not.
bool spells_section(const Predicate& predicate) {
  if (predicate.negated) return false;
  const bool is_equality =
      predicate.kind == Predicate::Kind::kComparison && predicate.comparison == Comparison::kEqual;
  const bool is_text =
      predicate.kind == Predicate::Kind::kMatches || predicate.kind == Predicate::Kind::kGlob;
  const std::size_t literal = predicate.text.find_first_of("'\"");
  return (is_equality || is_text) && names_field(predicate, Field::kMethodName) &&
         literal != std::string::npos &&
         predicate.text.find(kSectionName, literal) != std::string::npos;
}

}  // namespace

MethodFacts section_facts(const std::string& class_name) {
  MethodFacts facts;
  facts.name = kSectionName;
  facts.implementing_class = facts.declaring_class = class_name;
  facts.is_void = facts.is_section = true;
  facts.parameters = kMostHeld;
  return facts;
}

StaticFilter::StaticFilter(const Query& query, bool by_names)
    : query_(query),
      by_names_(by_names),
      mentions_(query.identifiers.size()),
      asks_for_sections_(query.identifiers.size()) {
  const auto mention = [this](const FieldReference& reference) {
    Mentions& mentions = mentions_[reference.identifier];
    if (is_parameter(reference.field)) {
      mentions.parameters = std::max(mentions.parameters, reference.parameter + 1);
    }
    mentions.result |= is_about_result(reference.field);
    mentions.receiver |= reference.field == Field::kReceiver;
  };
  for (const Predicate& predicate : query.predicates) {
    decided_.push_back(only_names(predicate));
    for (const FieldReference& reference : fields_of(predicate)) mention(reference);
    if (decided_.back() && spells_section(predicate)) {
      asks_for_sections_[fields_of(predicate).front().identifier] = true;
    }
  }
  for (const SelectedItem& item : query.selected) {
    if (item.has_field()) mention(item.field);
  }
}

// Predicates that name a field of `unknown` may hold.
template <typename Source>
bool StaticFilter::fits(std::size_t identifier, const Source& value_of_field,
                        std::initializer_list<Field> unknown) const {
  for (std::size_t i = 0; i < query_.predicates.size(); ++i) {
    const Predicate& predicate = query_.predicates[i];
    if (!decided_[i] || predicate.identifiers != set_of(identifier)) continue;
    if (std::ranges::any_of(unknown, [&](Field field) { return names_field(predicate, field); })) {
      continue;
    }
    if (!holds(predicate, value_of_field)) return false;
  }
  return true;
}

IdentifierSet StaticFilter::matching(const MethodFacts& facts, bool declaring_class_known,
                                     bool by_names) const {
  const Value name = Value::string(facts.name);
  const Value declaring = Value::string(facts.declaring_class);
  const Value implementing = Value::string(facts.implementing_class);
  const Value parameters = Value::integer(facts.parameters);
  const auto value_of_field = [&](const FieldReference& reference) {
    if (reference.field == Field::kMethodName) return name;
    if (reference.field == Field::kParameters) return parameters;
    return reference.field == Field::kDeclaringClass ? declaring : implementing;
  };
  IdentifierSet set = 0;
  for (std::size_t i = 0; i < query_.identifiers.size(); ++i) {
    if (query_.identifiers[i].relation != Relation::kMethodInvocation) continue;
    const Mentions& mentions = mentions_[i];
    if ((mentions.parameters > facts.parameters && !facts.any_parameters) ||
        (mentions.result && facts.is_void) || (mentions.receiver && facts.is_static) ||
        (facts.is_section && !asks_for_sections_[i])) {
      continue;
    }
    const auto is_fit = [&] {
      if (facts.any_parameters && !declaring_class_known) {
        return fits(i, value_of_field, {Field::kDeclaringClass, Field::kParameters});
      }
      if (facts.any_parameters) return fits(i, value_of_field, {Field::kParameters});
      if (!declaring_class_known) return fits(i, value_of_field, {Field::kDeclaringClass});
      return fits(i, value_of_field, {});
    };
    if (!by_names || is_fit()) set |= set_of(i);
  }
  return set;
}

IdentifierSet StaticFilter::methods(const MethodFacts& facts) const {
  return matching(facts, true, by_names_);
}

IdentifierSet StaticFilter::methods_without_hierarchy(const MethodFacts& facts) const {
  return matching(facts, false, by_names_);
}

std::string StaticFilter::near_miss(std::size_t identifier, const MethodFacts& facts) const {
  if ((matching(facts, false, true) & set_of(identifier)) != 0) return "";
  MethodFacts any = facts;
  any.any_parameters = true;
  any.is_static = any.is_void = false;
  if ((matching(any, false, true) & set_of(identifier)) == 0) return "";
  const Mentions& asked = mentions_[identifier];
  std::string what = facts.implementing_class + "." + facts.name;
  if (asked.parameters > facts.parameters) {
    return what + " has no param" + std::to_string(asked.parameters - 1);
  }
  if (asked.result && facts.is_void) return what + " is void, and has no result";
  if (asked.receiver && facts.is_static) return what + " is static, and has no receiver";
  return what + " has " + std::to_string(facts.parameters) +
         (facts.parameters == 1 ? " parameter" : " parameters");
}

bool StaticFilter::may_implement(std::size_t identifier,
                                 const std::string& implementing_class) const {
  if (query_.identifiers[identifier].relation != Relation::kMethodInvocation) return false;
  if (!by_names_) return true;
  const Value name = Value::string(implementing_class);
  for (std::size_t i = 0; i < query_.predicates.size(); ++i) {
    const Predicate& predicate = query_.predicates[i];
    if (!decided_[i] || predicate.identifiers != set_of(identifier) ||
        names_field(predicate, Field::kDeclaringClass) ||
        names_field(predicate, Field::kMethodName) || names_field(predicate, Field::kParameters)) {
      continue;
    }
    if (!holds(predicate, [&name](const FieldReference&) { return name; })) return false;
  }
  return true;
}

IdentifierSet StaticFilter::objects(const std::string& dynamic_type) const {
  const Value type = Value::string(dynamic_type);
  IdentifierSet set = 0;
  for (std::size_t i = 0; i < query_.identifiers.size(); ++i) {
    if (query_.identifiers[i].relation != Relation::kObjectAllocation) continue;
    if (!by_names_ || fits(i, [&type](const FieldReference&) { return type; }, {}))
      set |= set_of(i);
  }
  return set;
}

bool StaticFilter::may_be_constructor(std::size_t identifier) const {
  if (query_.identifiers[identifier].relation != Relation::kMethodInvocation) return false;
  if (mentions_[identifier].result) return false;
  const Value name = Value::string("<init>");
  for (std::size_t i = 0; i < query_.predicates.size(); ++i) {
    const Predicate& predicate = query_.predicates[i];
    if (!decided_[i] || predicate.identifiers != set_of(identifier)) continue;
    if (names_field(predicate, Field::kDeclaringClass) ||
        names_field(predicate, Field::kImplementingClass) ||
        names_field(predicate, Field::kParameters)) {
      continue;
    }
    if (!holds(predicate, [&name](const FieldReference&) { return name; })) return false;
  }
  return true;
}

}  // namespace copse::ptql
