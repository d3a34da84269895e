// Evaluates predicates on values that `value_of(FieldReference) -> Value` gives.
#pragma once

#include <string_view>
#include <variant>

#include "ptql/language/query.h"

namespace copse::ptql {

// Returns true if the glob names a method of the context, or its class.
bool is_under(std::string_view context, std::string_view glob);
// Returns true if the glob names the class or method that the field has, or matches the text of another field.
// `field` is nullptr for a text that is no field.
bool matches_field(std::string_view glob, const FieldReference* field, std::string_view text);

template <typename Source>
Value value_of(const Operand& operand, const Source& value_of_field) {
  const auto of_term = [&value_of_field](const Term& term) -> Value {
    const auto* field = std::get_if<FieldReference>(&term.what);
    return field != nullptr ? value_of_field(*field) : *std::get_if<Value>(&term.what);
  };
  const Term& first = operand.terms.front();
  Value value = first.minus ? sum(Value::integer(0), of_term(first), true) : of_term(first);
  for (std::size_t i = 1; i < operand.terms.size(); ++i) {
    value = sum(value, of_term(operand.terms[i]), operand.terms[i].minus);
  }
  return value;
}

// Compares like holds(), but boxes by identity alone.
inline bool hold_as_objects(const Value& left, Comparison comparison, const Value& right) {
  const auto without_inside = [](const Value& value) {
    return value.is_box() ? Value::object(value.as_object()) : value;
  };
  return holds(without_inside(left), comparison, without_inside(right));
}

template <typename Source>
bool holds(const Predicate& predicate, const Source& value_of_field) {
  const Value left = value_of(predicate.left, value_of_field);
  if (predicate.kind == Predicate::Kind::kComparison) {
    const Value right = value_of(predicate.right, value_of_field);
    return predicate.of_objects ? hold_as_objects(left, predicate.comparison, right)
                                : holds(left, predicate.comparison, right);
  }
  if (left.text() == nullptr) return false;
  switch (predicate.kind) {
    case Predicate::Kind::kMatches:
      return predicate.pattern->matches(*left.text()) != predicate.negated;
    case Predicate::Kind::kGlob:
      return matches_field(predicate.glob, predicate.left.field(), *left.text());
    default:
      return is_under(*left.text(), predicate.glob);
  }
}

}  // namespace copse::ptql
