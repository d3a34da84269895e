// What the identifiers and fields of a query mean. Each function gives what is wrong, or nothing.
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
  bool count = false;
  NamedReference reference{};
  Place place;
};

class Names {
 public:
  std::optional<Problem> add(Query& query, Identifier identifier) const;
  std::optional<Problem> find(const Query& query, const NamedReference& named,
                              FieldReference& found) const;
  // What * stands for: of each identifier that is not NEGATIVE, what is known at its start.
  void select_all(Query& query) const;
};

}  // namespace copse::ptql
