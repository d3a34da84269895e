#include "ptql/language/type_rules.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

namespace copse::ptql {
namespace {

// The type of a side of a comparison. A receiver is an object whose value is known if it is a String or a box.
enum class SideType : std::uint8_t {
  kNumber,
  kString,
  kObject,
  kReceiver,
  kVariant,
  kPrimitive,
  kBoolean,
  kNull
};

SideType field_side(const Query& query, const FieldReference& field) {
  switch (query.facts(field).type) {
    case FieldType::kInteger:
      return SideType::kNumber;
    case FieldType::kString:
      return SideType::kString;
    case FieldType::kVariant:
      return SideType::kVariant;
    case FieldType::kPrimitive:
      return SideType::kPrimitive;
    case FieldType::kBoolean:
      return SideType::kBoolean;
    case FieldType::kObject:
      break;
  }
  const bool is_of_method =
      query.identifiers[field.identifier].relation == Relation::kMethodInvocation;
  return is_of_method && field.field == Field::kReceiver ? SideType::kReceiver : SideType::kObject;
}

SideType side_type(const Query& query, const Operand& operand) {
  if (const FieldReference* field = operand.field()) return field_side(query, *field);
  const Value* literal = operand.literal();
  if (literal == nullptr || literal->is_number()) return SideType::kNumber;
  if (literal->kind() == Value::Kind::kString) return SideType::kString;
  return literal->kind() == Value::Kind::kBoolean ? SideType::kBoolean : SideType::kNull;
}

std::string type_text(SideType type) {
  constexpr const char* kTexts[] = {"a number",      "a string",  "an object",
                                    "an object",     "any value", "a number or true or false",
                                    "true or false", "null"};
  return kTexts[static_cast<std::size_t>(type)];
}

bool is_object(SideType type) {
  return type == SideType::kObject || type == SideType::kReceiver || type == SideType::kNull;
}

// Returns true for types that Strings and boxes are compared with by their values.
bool is_value(SideType type) {
  return type == SideType::kNumber || type == SideType::kString || type == SideType::kPrimitive ||
         type == SideType::kBoolean;
}

// Returns true if a comparison of sides of these types can hold; asked in both orders.
bool comparable_so(SideType left, SideType right) {
  if (left == SideType::kVariant || (is_object(left) && is_object(right))) return true;
  if (left == SideType::kReceiver) return is_value(right);
  return left == SideType::kPrimitive &&
         (right == SideType::kNumber || right == SideType::kBoolean);
}

bool comparable(SideType left, SideType right) {
  return left == right || comparable_so(left, right) || comparable_so(right, left);
}

bool has_order_type(SideType type, SideType beside) {
  if (type == SideType::kReceiver) return is_value(beside);
  return type == SideType::kVariant || (is_value(type) && type != SideType::kBoolean);
}

// Returns a hint at the field that the text beside an object was meant for; "" if there is none.
std::string meant_beside(const Query& query, const Operand& operand, SideType literal) {
  const FieldReference* field = operand.field();
  if (field == nullptr || query.facts(*field).type != FieldType::kObject) return "";
  const std::string name = query.name_of(*field);
  if (literal != SideType::kString) return "";
  if (field->field == Field::kThread) return "; the name of a thread is " + name + ".name";
  if (field->field == Field::kThrown) return "; the class of an exception is " + name + ".type";
  return "";
}

// Returns the reason why the object of an allocation has no value; "" for other objects.
std::string no_value_text(const Query& query, const Operand& operand) {
  const FieldReference* field = operand.field();
  if (field == nullptr || field->field != Field::kReceiver) return "";
  return "; " + query.identifiers[field->identifier].name +
         " is an allocation, before its object has a value: compare what methods have, as "
         "m.param0 or m.receiver";
}

// Checks that the terms of a sum are numbers.
std::optional<Problem> check_sum(const Query& query, const Operand& operand, Place place) {
  if (operand.terms.size() == 1 && !operand.terms[0].minus) return std::nullopt;
  for (const Term& term : operand.terms) {
    const SideType type = side_type(query, Operand{{Term{false, term.what}}});
    if (type != SideType::kNumber && type != SideType::kVariant && type != SideType::kPrimitive) {
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
  if (type == SideType::kString || type == SideType::kVariant || type == SideType::kReceiver) {
    return std::nullopt;
  }
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
    std::string hint = meant_beside(query, predicate.left, right);
    if (hint.empty()) hint = meant_beside(query, predicate.right, left);
    if (hint.empty() && is_value(right)) hint = no_value_text(query, predicate.left);
    if (hint.empty() && is_value(left)) hint = no_value_text(query, predicate.right);
    return Problem{place,
                   "the left side is " + type_text(left) + ", the right side " + type_text(right) +
                       (wants_order ? ": they are in no order" : ": they are never equal") + hint};
  }
  for (const auto& [side, beside] : {std::pair(left, right), std::pair(right, left)}) {
    if (wants_order && !has_order_type(side, beside)) {
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

bool is_of_objects(const Query& query, const Predicate& predicate) {
  if (predicate.kind != Predicate::Kind::kComparison) return false;
  const FieldReference* left = predicate.left.field();
  const FieldReference* right = predicate.right.field();
  if (left == nullptr || right == nullptr) return false;
  const auto may_be_object = [&](const FieldReference& field) {
    const FieldType type = query.facts(field).type;
    return type == FieldType::kObject || type == FieldType::kVariant;
  };
  return may_be_object(*left) && may_be_object(*right) &&
         (query.facts(*left).type == FieldType::kObject ||
          query.facts(*right).type == FieldType::kObject);
}

std::optional<Problem> check_aggregate(const Query& query, const SelectedItem& item, Place place) {
  if (!item.has_field() || item.aggregate == Aggregate::kNone) return std::nullopt;
  const SideType type = field_side(query, item.field);
  if (type == SideType::kNumber || type == SideType::kVariant || type == SideType::kPrimitive) {
    return std::nullopt;
  }
  return Problem{place, query.heading(item) + ": " + query.name_of(item.field) + " is " +
                            type_text(type) + ", and " + std::string(spelled(item.aggregate)) +
                            " is of numbers"};
}

std::optional<Problem> check_groups(const Query& query, Place place) {
  for (std::size_t i = 0; i < query.selected.size(); ++i) {
    const auto& groups = query.grouped_by;
    if (query.selected[i].aggregate != Aggregate::kNone ||
        std::find(groups.begin(), groups.end(), i) != groups.end()) {
      continue;
    }
    return Problem{
        place,
        query.name_of(query.selected[i].field) +
            " is selected beside COUNT(*), SUM, MIN, MAX, AVG or groups; put it behind GROUP BY"};
  }
  return std::nullopt;
}

}  // namespace copse::ptql
