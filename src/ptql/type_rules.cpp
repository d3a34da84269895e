#include "ptql/type_rules.h"

#include <algorithm>
#include <bit>
#include <string>

namespace copse::ptql {
namespace {

// What a side of a comparison is known to be.
enum class SideType : std::uint8_t { kNumber, kString, kObject, kVariant, kBoolean, kNull };

SideType side_type(const Query& query, const Operand& operand) {
  if (const FieldReference* field = operand.field()) {
    switch (query.facts(*field).type) {
      case FieldType::kInteger:
        return SideType::kNumber;
      case FieldType::kString:
        return SideType::kString;
      case FieldType::kObject:
        return SideType::kObject;
      case FieldType::kVariant:
        return SideType::kVariant;
    }
  }
  const Value* literal = operand.literal();
  if (literal == nullptr || literal->is_number()) return SideType::kNumber;
  if (literal->kind() == Value::Kind::kString) return SideType::kString;
  return literal->kind() == Value::Kind::kBoolean ? SideType::kBoolean : SideType::kNull;
}

std::string type_text(SideType type) {
  constexpr const char* kTexts[] = {"a number",  "a string",      "an object",
                                    "any value", "true or false", "null"};
  return kTexts[static_cast<std::size_t>(type)];
}

bool comparable(SideType left, SideType right) {
  if (left == right) return true;
  if (left == SideType::kVariant || right == SideType::kVariant) return true;
  const auto is_object = [](SideType type) {
    return type == SideType::kObject || type == SideType::kNull;
  };
  return is_object(left) && is_object(right);
}

bool has_order_type(SideType type) {
  return type == SideType::kNumber || type == SideType::kString || type == SideType::kVariant;
}

// What is added must be numbers.
std::optional<Problem> check_sum(const Query& query, const Operand& operand, Place place) {
  if (operand.terms.size() == 1 && !operand.terms[0].minus) return std::nullopt;
  for (const Term& term : operand.terms) {
    const SideType type = side_type(query, Operand{{Term{false, term.what}}});
    if (type != SideType::kNumber && type != SideType::kVariant) {
      return Problem{place, "+ and - take numbers, and one of these is " + type_text(type)};
    }
  }
  return std::nullopt;
}

std::optional<Problem> check_text_predicate(const Query& query, const Predicate& predicate,
                                            Place place) {
  const FieldReference* field = predicate.left.field();
  if (predicate.kind == Predicate::Kind::kUnder) {
    if (field != nullptr && field->field == Field::kContext) return std::nullopt;
    return Problem{place, "under() takes a context, as in under(x.context, 'shop.**')"};
  }
  const SideType type = field == nullptr ? SideType::kNumber : side_type(query, predicate.left);
  if (type == SideType::kString || type == SideType::kVariant) return std::nullopt;
  return Problem{place, "=~ and GLOB take a field that is a string"};
}

std::optional<Problem> check_comparison(const Query& query, const Predicate& predicate,
                                        Place place) {
  for (const Operand* side : {&predicate.left, &predicate.right}) {
    if (auto problem = check_sum(query, *side, place)) return problem;
  }
  if (predicate.identifiers == 0) return Problem{place, "the predicate names no field"};
  const SideType left = side_type(query, predicate.left);
  const SideType right = side_type(query, predicate.right);
  const bool wants_order =
      predicate.comparison != Comparison::kEqual && predicate.comparison != Comparison::kNotEqual;
  if (!comparable(left, right)) {
    const bool thread = (left == SideType::kObject && predicate.left.field() != nullptr &&
                         predicate.left.field()->field == Field::kThread) &&
                        right == SideType::kString;
    return Problem{place, "the left side is " + type_text(left) + ", the right side " +
                              type_text(right) +
                              (wants_order ? ": they are in no order" : ": they are never equal") +
                              (thread ? "; the name of a thread is its field name, as in "
                                        "x.thread.name"
                                      : "")};
  }
  for (const SideType side : {left, right}) {
    if (wants_order && !has_order_type(side)) {
      return Problem{place, type_text(side) + " has no order: only = and != compare it"};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Problem> check_types(const Query& query, const Predicate& predicate, Place place) {
  if (auto problem = predicate.kind == Predicate::Kind::kComparison
                         ? check_comparison(query, predicate, place)
                         : check_text_predicate(query, predicate, place)) {
    return problem;
  }
  if (std::popcount(predicate.identifiers & query.negatives()) > 1) {
    return Problem{place, "a predicate names one NEGATIVE identifier at most"};
  }
  return std::nullopt;
}

std::optional<Problem> check_groups(const Query& query, Place place) {
  for (std::size_t i = 0; i < query.selected.size(); ++i) {
    const auto& groups = query.grouped_by;
    if (query.selected[i].count || std::find(groups.begin(), groups.end(), i) != groups.end()) {
      continue;
    }
    return Problem{place, query.name_of(query.selected[i].field) +
                              " is selected beside COUNT(*) or groups; put it behind GROUP BY"};
  }
  return std::nullopt;
}

}  // namespace copse::ptql
