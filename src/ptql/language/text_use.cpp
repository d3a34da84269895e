#include "ptql/language/text_use.h"

#include <algorithm>

namespace copse::ptql {
namespace {

bool is_text(const Query& query, const Operand& operand) {
  if (const Value* literal = operand.literal()) return literal->kind() == Value::Kind::kString;
  const FieldReference* field = operand.field();
  return field != nullptr && query.facts(*field).type == FieldType::kString;
}

// Returns true if the predicate compares the field with a number or a boolean. Texts there are reported
// (literal_use.h).
bool is_beside_literal(const Predicate& predicate, const FieldReference& field) {
  if (predicate.kind != Predicate::Kind::kComparison ||
      predicate.comparison == Comparison::kNotEqual) {
    return false;
  }
  const auto is_so = [&field](const Operand& one, const Operand& other) {
    const Value* literal = other.literal();
    return one.field() != nullptr && *one.field() == field && literal != nullptr &&
           literal->kind() != Value::Kind::kObject;
  };
  return is_so(predicate.left, predicate.right) || is_so(predicate.right, predicate.left);
}

}  // namespace

bool needs_text(const Query& query, const FieldReference& field) {
  if (source_of(field.field) != field.field) {
    if (query.facts(field).type == FieldType::kString) return true;
    return std::ranges::any_of(query.predicates, [&](const Predicate& predicate) {
      return is_beside_literal(predicate, field);
    });
  }
  const bool selected = std::ranges::any_of(query.selected, [&field](const SelectedItem& item) {
    return item.aggregate == Aggregate::kNone && item.field == field;
  });
  return selected || std::ranges::any_of(query.predicates, [&](const Predicate& predicate) {
           const std::vector<FieldReference> named = fields_of(predicate);
           if (std::ranges::find(named, field) == named.end()) return false;
           // Two objects are compared by their identity.
           return predicate.kind != Predicate::Kind::kComparison ||
                  is_text(query, predicate.left) || is_text(query, predicate.right) ||
                  is_beside_literal(predicate, field);
         });
}

}  // namespace copse::ptql
