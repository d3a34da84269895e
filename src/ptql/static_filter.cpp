#include "ptql/static_filter.h"

#include <algorithm>

#include "ptql/predicate_value.h"

namespace copse::ptql {
namespace {

bool is_name(Field field) {
  return field == Field::kMethodName || field == Field::kDeclaringClass ||
         field == Field::kImplementingClass || field == Field::kDynamicType;
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

// Of `=`, `=~` and GLOB. A pattern that takes every name spells none.
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

StaticFilter::StaticFilter(const Query& query)
    : query_(query),
      mentions_(query.identifiers.size()),
      asks_for_sections_(query.identifiers.size()) {
  const auto mention = [this](const FieldReference& reference) {
    Mentions& mentions = mentions_[reference.identifier];
    if (is_parameter(reference.field)) {
      mentions.parameters = std::max(mentions.parameters, reference.parameter + 1);
    }
    mentions.result |= source_of(reference.field) == Field::kResult;
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
    if (!item.count) mention(item.field);
  }
}

// `unknown`: identifiers for which the declaring class is not known.
template <typename Source>
bool StaticFilter::fits(std::size_t identifier, const Source& value_of_field,
                        IdentifierSet unknown) const {
  for (std::size_t i = 0; i < query_.predicates.size(); ++i) {
    const Predicate& predicate = query_.predicates[i];
    if (!decided_[i] || predicate.identifiers != set_of(identifier)) continue;
    if (unknown != 0 && names_field(predicate, Field::kDeclaringClass)) continue;
    if (!holds(predicate, value_of_field)) return false;
  }
  return true;
}

IdentifierSet StaticFilter::matching(const MethodFacts& facts, bool declaring_class_known) const {
  const Value name = Value::string(facts.name);
  const Value declaring = Value::string(facts.declaring_class);
  const Value implementing = Value::string(facts.implementing_class);
  const auto value_of_field = [&](const FieldReference& reference) {
    if (reference.field == Field::kMethodName) return name;
    return reference.field == Field::kDeclaringClass ? declaring : implementing;
  };
  IdentifierSet set = 0;
  for (std::size_t i = 0; i < query_.identifiers.size(); ++i) {
    if (query_.identifiers[i].relation != Relation::kMethodInvocation) continue;
    const Mentions& mentions = mentions_[i];
    if (mentions.parameters > facts.parameters || (mentions.result && facts.is_void) ||
        (mentions.receiver && facts.is_static) || (facts.is_section && !asks_for_sections_[i])) {
      continue;
    }
    if (fits(i, value_of_field, declaring_class_known ? 0 : set_of(i))) set |= set_of(i);
  }
  return set;
}

IdentifierSet StaticFilter::methods(const MethodFacts& facts) const {
  return matching(facts, true);
}

IdentifierSet StaticFilter::methods_without_hierarchy(const MethodFacts& facts) const {
  return matching(facts, false);
}

bool StaticFilter::may_implement(std::size_t identifier,
                                 const std::string& implementing_class) const {
  if (query_.identifiers[identifier].relation != Relation::kMethodInvocation) return false;
  const Value name = Value::string(implementing_class);
  for (std::size_t i = 0; i < query_.predicates.size(); ++i) {
    const Predicate& predicate = query_.predicates[i];
    if (!decided_[i] || predicate.identifiers != set_of(identifier) ||
        names_field(predicate, Field::kDeclaringClass) ||
        names_field(predicate, Field::kMethodName)) {
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
    if (fits(
            i, [&type](const FieldReference&) { return type; }, 0))
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
        names_field(predicate, Field::kImplementingClass)) {
      continue;
    }
    if (!holds(predicate, [&name](const FieldReference&) { return name; })) return false;
  }
  return true;
}

}  // namespace copse::ptql
