#include "ptql/language/query.h"

#include <algorithm>

#include "base/printable.h"
#include "base/utf8.h"

namespace copse::ptql {

const FieldReference* Operand::field() const {
  if (terms.size() != 1 || terms[0].minus) return nullptr;
  return std::get_if<FieldReference>(&terms[0].what);
}

const Value* Operand::literal() const {
  if (terms.size() != 1 || terms[0].minus) return nullptr;
  return std::get_if<Value>(&terms[0].what);
}

std::string_view spelled(Aggregate aggregate) {
  constexpr std::string_view kNames[] = {"", "COUNT", "SUM", "MIN", "MAX", "AVG"};
  return kNames[static_cast<std::size_t>(aggregate)];
}

bool Query::aggregates() const {
  return having || std::any_of(selected.begin(), selected.end(), [](const SelectedItem& item) {
           return item.aggregate != Aggregate::kNone;
         });
}

IdentifierSet Query::negatives() const {
  IdentifierSet set = 0;
  for (std::size_t i = 0; i < identifiers.size(); ++i) {
    if (identifiers[i].negative) set |= set_of(i);
  }
  return set;
}

IdentifierSet Query::positives() const {
  return ((IdentifierSet{1} << identifiers.size()) - 1) & ~negatives();
}

std::string Query::name_of(const FieldReference& reference) const {
  const Identifier& identifier = identifiers[reference.identifier];
  return identifier.name + '.' +
         field_name(identifier.relation, reference.field, reference.parameter);
}

std::string Query::heading(const SelectedItem& item) const {
  if (item.aggregate == Aggregate::kNone) return name_of(item.field);
  return std::string(spelled(item.aggregate)) +
         (item.has_field() ? "(" + name_of(item.field) + ")" : "(*)");
}

std::vector<FieldReference> fields_of(const Predicate& predicate) {
  std::vector<FieldReference> fields;
  for (const Operand* operand : {&predicate.left, &predicate.right}) {
    for (const Term& term : operand->terms) {
      if (const auto* field = std::get_if<FieldReference>(&term.what)) fields.push_back(*field);
    }
  }
  return fields;
}

std::string to_text(const Problem& problem) {
  return "line " + std::to_string(problem.place.line) + ", column " +
         std::to_string(problem.place.column) + ": " + problem.what;
}

std::string with_caret(std::string_view query, Place place) {
  for (std::uint32_t line = 1; line < place.line; ++line) {
    const std::size_t end = query.find('\n');
    if (end == std::string_view::npos) break;
    query.remove_prefix(end + 1);
  }
  query = query.substr(0, query.find('\n'));
  constexpr std::size_t kBefore = 60;
  constexpr std::size_t kShown = 96;
  const std::size_t at = place.column - 1;
  const std::size_t first = at > kBefore ? at - kBefore : 0;
  std::string shown = first > 0 ? "  ..." : "  ";
  std::string caret = first > 0 ? "     " : "  ";
  for (std::size_t i = 0; !query.empty() && i < first + kShown; ++i) {
    std::string_view rest = query;
    const char32_t c = take_code_point(rest);
    const std::string_view bytes = query.substr(0, query.size() - rest.size());
    query = rest;
    if (i < first) continue;
    const std::string text = c == '\t' || c == '\r' ? " " : printable(bytes);
    shown += text;
    // An escaped character is several wide.
    if (i < at) caret.append(text.front() == '\\' && c != '\\' ? text.size() : 1, ' ');
  }
  if (!query.empty()) shown += "...";
  return shown + '\n' + caret + "^\n";
}

}  // namespace copse::ptql
