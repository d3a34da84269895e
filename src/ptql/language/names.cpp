#include "ptql/language/names.h"

#include <utility>
#include <vector>

#include "base/joined_text.h"
#include "base/nearest.h"

namespace copse::ptql {

std::optional<Problem> Names::add(Query& query, Identifier identifier) const {
  for (const Identifier& known : query.identifiers) {
    if (known.name == identifier.name) {
      return Problem{identifier.place, "there are two identifiers " + identifier.name};
    }
  }
  if (query.identifiers.size() == kMostIdentifiers) {
    return Problem{identifier.place, "a query has at most 16 identifiers"};
  }
  query.identifiers.push_back(std::move(identifier));
  return std::nullopt;
}

std::optional<Problem> Names::find(const Query& query, const NamedReference& named,
                                   FieldReference& found) const {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < query.identifiers.size(); ++i) {
    const Identifier& identifier = query.identifiers[i];
    known.push_back(identifier.name);
    if (identifier.name != named.identifier) continue;
    if (const auto field = find_field(identifier.relation, named.field)) {
      found = {static_cast<std::uint32_t>(i), field->field, field->parameter};
      return std::nullopt;
    }
    const bool is_method = identifier.relation == Relation::kMethodInvocation;
    const Relation other = is_method ? Relation::kObjectAllocation : Relation::kMethodInvocation;
    const std::string no_field = "no field " + named.field;
    if (is_method) {
      const std::string mistake = parameter_mistake(named.field);
      if (!mistake.empty()) return Problem{named.field_place, no_field + mistake};
    }
    const std::string_view meant = meant_field(identifier.relation, named.field);
    if (!meant.empty()) {
      return Problem{named.field_place, no_field + "; did you mean " + std::string(meant) + "?"};
    }
    if (find_field(other, named.field)) {
      return Problem{named.field_place, no_field + " in " +
                                            std::string(relation_name(identifier.relation)) +
                                            "; it is one of " + std::string(relation_name(other))};
    }
    const std::vector<std::string> fields = field_names(identifier.relation);
    return Problem{
        named.field_place,
        no_field + did_you_mean(named.field, fields, "; there are " + joined_text(fields))};
  }
  return Problem{named.place, "FROM has no identifier " + named.identifier +
                                  did_you_mean(named.identifier, known)};
}

void Names::select_all(Query& query) const {
  using enum Field;
  static constexpr Field kOfMethods[] = {kStartTime, kImplementingClass, kMethodName, kThread};
  static constexpr Field kOfObjects[] = {kStartTime, kDynamicType, kReceiver, kThread};
  for (std::size_t i = 0; i < query.identifiers.size(); ++i) {
    const Identifier& identifier = query.identifiers[i];
    if (identifier.negative) continue;
    for (const Field field :
         identifier.relation == Relation::kMethodInvocation ? kOfMethods : kOfObjects) {
      query.selected.push_back({Aggregate::kNone, {static_cast<std::uint32_t>(i), field, 0}});
    }
  }
}

}  // namespace copse::ptql
