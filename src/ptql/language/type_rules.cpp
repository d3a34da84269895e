#include "ptql/language/type_rules.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

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

enum class NamedKind : std::uint8_t { kClass, kMethod, kOther, kNone };

// Texts of the program may have any character, and are kNone.
NamedKind names_of(const FieldReference& field) {
  switch (field.field) {
    case Field::kImplementingClass:
    case Field::kDeclaringClass:
    case Field::kDynamicType:
    case Field::kEqualsClass:
    case Field::kHashCodeClass:
    case Field::kCompareToClass:
    case Field::kThrownType:
      return NamedKind::kClass;
    case Field::kMethodName:
      return NamedKind::kMethod;
    case Field::kThreadName:
    case Field::kCaller:
    case Field::kContext:
      return NamedKind::kOther;
    default:
      return NamedKind::kNone;
  }
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

std::string quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted.append(c == '\'' ? 2 : 1, c);
  return quoted + "'";
}

std::string with_stars(std::string text) {
  std::ranges::replace(text, '%', '*');
  return text;
}

// Returns the text if it is a regular expression that was meant for one, else the one for the same names as the glob.
std::string as_expression(const std::string& text) {
  const bool is_expression =
      !has(text, "%") && std::holds_alternative<Pattern>(Pattern::compile(text));
  if (is_expression) return text;
  const std::string glob = with_stars(text);
  std::string expression;
  for (std::size_t i = 0; i < glob.size(); ++i) {
    if (glob[i] == '*') {
      const bool is_deep = i + 1 < glob.size() && glob[i + 1] == '*';
      expression += is_deep ? ".*" : "[^.]*";
      i += is_deep ? 1 : 0;
    } else {
      const bool is_word = std::isalnum(static_cast<unsigned char>(glob[i])) != 0 || glob[i] == '_';
      expression += (is_word ? "" : "\\") + std::string(1, glob[i]);
    }
  }
  return expression;
}

// Returns the first sign of a pattern in a text; "" if there is none.
std::string_view sign_of_pattern(const std::string& text, NamedKind names) {
  for (const std::string_view sign : {"*", "%", "\\", ".+"}) {
    if (has(text, sign)) return sign;
  }
  if (names != NamedKind::kOther && has(text, "|")) return "|";
  const bool is_array = text.ends_with("[]");
  if (names != NamedKind::kOther && has(text, "[") && !is_array) return "[";
  return "";
}

// Returns why no class or method has the name, and the right one; "" if a name can be so.
std::string wrong_name(const std::string& text, NamedKind names) {
  if (names == NamedKind::kClass && has(text, "/")) {
    std::string dotted = text;
    std::ranges::replace(dotted, '/', '.');
    return "packages have a . between them: " + quoted(dotted);
  }
  if (names == NamedKind::kMethod && has(text, "(")) {
    return "methods stand without (): " + quoted(text.substr(0, text.find('(')));
  }
  if (names == NamedKind::kMethod && has(text, ".")) {
    const std::size_t dot = text.rfind('.');
    return "a method's class is a field of its own: x.implementingClass = " +
           quoted(text.substr(0, dot)) + " AND x.methodName = " + quoted(text.substr(dot + 1));
  }
  return "";
}

std::string about_text(const Query& query, const FieldReference& field, const std::string& text,
                       const std::string& predicate, bool negated) {
  const NamedKind names = names_of(field);
  if (names == NamedKind::kNone) return "";
  if (const std::string_view sign = sign_of_pattern(text, names); !sign.empty()) {
    const std::string name = query.name_of(field);
    std::string meant;
    const bool may_be_glob = sign == "*" || sign == "%";
    if (may_be_glob && !negated) {
      meant = name + " GLOB " + quoted(with_stars(text)) + " (a * stops at dots, ** does not), or ";
    }
    meant += name + (negated ? " !~ " : " =~ ") + quoted(as_expression(text)) +
             " (a regular expression)";
    return predicate + " asks for this very text, " + std::string(sign) +
           " included; a pattern is " + meant;
  }
  const std::string wrong = wrong_name(text, names);
  if (wrong.empty()) return "";
  return predicate + " asks for a name that no " +
         (names == NamedKind::kClass ? "class" : "method") + " has; " + wrong;
}

std::string about_glob(const Predicate& predicate) {
  const FieldReference* field = predicate.left.field();
  if (field == nullptr || names_of(*field) == NamedKind::kNone) return "";
  for (const std::string_view sign : {"\\", "|", "(", "+", "^"}) {
    if (!has(predicate.glob, sign)) continue;
    return predicate.text + ": a glob has * and **, and takes " + std::string(sign) +
           " as it is; a regular expression stands behind =~";
  }
  if (has(predicate.glob, "%")) {
    return predicate.text +
           ": a glob has * and **, and takes % as it is: " + quoted(with_stars(predicate.glob));
  }
  std::string without_stars = predicate.glob;
  std::erase(without_stars, '*');
  const std::string wrong = wrong_name(without_stars, names_of(*field));
  if (wrong.empty()) return "";
  const bool is_class = names_of(*field) == NamedKind::kClass;
  return predicate.text + " asks for names that no " +
         (is_class ? "class has; packages have a . between them"
                   : "method has; they have neither . nor ()");
}

// Returns the expression behind =~ as the query has it.
std::string expression_of(const Predicate& predicate) {
  const std::size_t begin = predicate.text.find_first_of("'\"");
  if (begin == std::string::npos) return "";
  const std::size_t end = predicate.text.rfind(predicate.text[begin]);
  return predicate.text.substr(begin + 1, end - begin - 1);
}

std::string about_expression(const Predicate& predicate) {
  const FieldReference* field = predicate.left.field();
  if (field == nullptr) return "";
  const std::string expression = expression_of(predicate);
  for (std::size_t i = 0; i + 1 < expression.size(); ++i) {
    const bool is_escaped = i > 0 && (expression[i - 1] == '\\' || expression[i - 1] == '[');
    const auto next = static_cast<unsigned char>(expression[i + 1]);
    if (expression[i] != '$' || is_escaped || (std::isalnum(next) == 0 && next != '_')) continue;
    return predicate.text +
           ": $ is the end of the text, so that nothing can follow it; a $ itself is [$]";
  }
  if (names_of(*field) != NamedKind::kNone && has(expression, "%")) {
    return predicate.text + ": a regular expression takes % as it is; any characters are .*";
  }
  return "";
}

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

std::vector<std::string> doubts_about(const Query& query) {
  std::vector<std::string> doubts;
  for (const Predicate& predicate : query.predicates) {
    std::string doubt;
    switch (predicate.kind) {
      case Predicate::Kind::kGlob:
        doubt = about_glob(predicate);
        break;
      case Predicate::Kind::kMatches:
        doubt = about_expression(predicate);
        break;
      case Predicate::Kind::kUnder:
        break;
      case Predicate::Kind::kComparison: {
        const FieldReference* field = predicate.left.field();
        const Value* literal = predicate.right.literal();
        if (field == nullptr || literal == nullptr) {
          field = predicate.right.field();
          literal = predicate.left.literal();
        }
        if (field == nullptr || literal == nullptr || literal->kind() != Value::Kind::kString)
          break;
        doubt = about_text(query, *field, *literal->text(), predicate.text,
                           predicate.comparison == Comparison::kNotEqual);
        break;
      }
    }
    if (!doubt.empty()) doubts.push_back(std::move(doubt));
  }
  return doubts;
}

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
