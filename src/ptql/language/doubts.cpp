#include "ptql/language/doubts.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string_view>
#include <variant>

namespace copse::ptql {
namespace {

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

}  // namespace

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

}  // namespace copse::ptql
