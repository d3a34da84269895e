#include "ptql/text_use.h"

#include <algorithm>

namespace copse::ptql {
namespace {

bool is_text(const Query& query, const Operand& operand) {
  if (const Value* literal = operand.literal()) return literal->kind() == Value::Kind::kString;
  const FieldReference* field = operand.field();
  return field != nullptr && query.facts(*field).type == FieldType::kString;
}

}  // namespace

bool needs_text(const Query& query, const FieldReference& field) {
  if (source_of(field.field) != field.field) return true;
  const bool selected = std::ranges::any_of(query.selected, [&field](const SelectedItem& item) {
    return !item.count && item.field == field;
  });
  return selected || std::ranges::any_of(query.predicates, [&](const Predicate& predicate) {
           const std::vector<FieldReference> named = fields_of(predicate);
           if (std::ranges::find(named, field) == named.end()) return false;
           // Two objects are compared by their identity.
           return predicate.kind != Predicate::Kind::kComparison ||
                  is_text(query, predicate.left) || is_text(query, predicate.right);
         });
}

}  // namespace copse::ptql
