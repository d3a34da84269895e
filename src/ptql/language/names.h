// Resolves the identifiers and fields of a query. Each function returns the problem, or std::nullopt.
#pragma once

#include <optional>
#include <string>

#include "ptql/language/query.h"

namespace copse::ptql {

struct NamedReference {
  std::string identifier;
  std::string field;
  Place place;
  Place field_place;
};

struct NamedItem {
  Aggregate aggregate = Aggregate::kNone;
  NamedReference reference{};
  Place place;
};

class Names {
 public:
  std::optional<Problem> add(Query& query, Identifier identifier) const;
  std::optional<Problem> find(const Query& query, const NamedReference& named,
                              FieldReference& found) const;
  // Replaces *: selects the fields known at START of each identifier that is not NEGATIVE.
  void select_all(Query& query) const;
};

}  // namespace copse::ptql
