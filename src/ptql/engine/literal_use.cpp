#include "ptql/engine/literal_use.h"

#include <numeric>
#include <optional>

#include "base/grouped.h"

namespace copse::ptql {
namespace {

using Kind = Value::Kind;

// Returns the field, with values of several types, that a side of a comparison is or is read off; else nullopt.
std::optional<FieldReference> open_field(const Query& query, const Operand& operand) {
  const FieldReference* field = operand.field();
  if (field == nullptr) return std::nullopt;
  const Field source = source_of(field->field);
  const bool is_of_method =
      query.identifiers[field->identifier].relation == Relation::kMethodInvocation;
  const bool is_open = source == Field::kParam || source == Field::kResult ||
                       (source == Field::kReceiver && is_of_method);
  if (!is_open) return std::nullopt;
  return FieldReference{field->identifier, source, field->parameter};
}

struct Literal {
  FieldReference beside;
  Kind kind;
};

// Returns the literal of a predicate that holds for values of one type alone. != and comparisons with null have none.
std::optional<Literal> literal_of(const Query& query, const Predicate& predicate) {
  switch (predicate.kind) {
    case Predicate::Kind::kUnder:
      return std::nullopt;
    case Predicate::Kind::kMatches:
    case Predicate::Kind::kGlob: {
      const auto field = open_field(query, predicate.left);
      if (!field) return std::nullopt;
      return Literal{*field, Kind::kString};
    }
    case Predicate::Kind::kComparison:
      break;
  }
  if (predicate.comparison == Comparison::kNotEqual) return std::nullopt;
  const Value* literal = predicate.left.literal();
  const auto field = open_field(query, literal == nullptr ? predicate.left : predicate.right);
  if (literal == nullptr) literal = predicate.right.literal();
  if (!field || literal == nullptr || literal->kind() == Kind::kObject) return std::nullopt;
  return Literal{*field, literal->kind()};
}

}  // namespace

LiteralUses::LiteralUses(const Plan& plan) : plan_(plan), uses_(plan.query.predicates.size()) {
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    const auto literal = literal_of(plan.query, plan.query.predicates[i]);
    if (!literal) continue;
    const Seen wanted = literal->kind == Kind::kString    ? Seen::kText
                        : literal->kind == Kind::kBoolean ? Seen::kBoolean
                                                          : Seen::kNumber;
    uses_[i] = {true, literal->beside, wanted, {}};
  }
}

void LiteralUses::look_at(Use& use, const Value& value) {
  const Value inside = value.unboxed();
  Seen seen = Seen::kPlainObject;
  if (inside.is_number()) {
    seen = Seen::kNumber;
  } else if (inside.kind() == Kind::kBoolean) {
    seen = Seen::kBoolean;
  } else if (inside.text() != nullptr) {
    seen = Seen::kText;
  } else if (inside.kind() != Kind::kObject || inside.as_object() == 0) {
    return;  // absent, or null
  }
  ++use.seen[static_cast<std::size_t>(seen)];
  if (seen == use.wanted) use.is_open = false;
}

std::vector<std::string> LiteralUses::sentences() const {
  // In the order of Seen.
  constexpr const char* kNames[] = {
      "a number", "true or false", "a text",
      "an object without a value (Strings and boxes such as Integer have one)"};
  constexpr const char* kAdvice[] = {"numbers, chars among them, stand without quotes", "",
                                     "texts stand between quotes", ""};
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    const Use& use = uses_[i];
    if (!use.is_open || std::accumulate(use.seen.begin(), use.seen.end(), std::uint64_t{0}) == 0) {
      continue;
    }
    std::string parts;
    std::string advice;
    for (std::size_t kind = 0; kind < kSeenKinds; ++kind) {
      if (use.seen[kind] == 0) continue;
      parts += (parts.empty() ? "" : ", ") + std::string(kNames[kind]) + " " +
               counted(use.seen[kind], "time");
      const bool may_be_quotes =
          use.wanted == Seen::kText || kind == static_cast<std::size_t>(Seen::kText);
      if (may_be_quotes && kAdvice[kind][0] != '\0') advice = std::string("; ") + kAdvice[kind];
    }
    sentences.push_back(plan_.query.predicates[i].text + " held of no record: " +
                        plan_.query.name_of(use.field) + " was " + parts + advice);
  }
  return sentences;
}

}  // namespace copse::ptql
