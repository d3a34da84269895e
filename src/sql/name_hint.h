// Guesses what a statement with a wrong name meant: the end of an error message.
//
// Reads the statement word by word for the tables of each SELECT and their aliases. The columns of subqueries and WITH
// are unknown; hints are then less specific.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse::sql {

struct KnownNames {
  struct Columns {
    std::string table;  // or view
    std::vector<std::string> columns;
  };
  struct Function {
    std::string name;
    std::string usage;  // "under(id, glob)" for Copse's own; "" for SQLite's
  };
  std::vector<Columns> tables;
  std::vector<Function> functions;
};

// Returns "; did you mean name?" or similar; "" if there is nothing to say. Never proposes the name that the statement
// already has there. `message`: SQLite's. `place`: offset of the error in the statement, std::nullopt if SQLite gives
// none.
std::string name_hint(std::string_view message, std::string_view statement,
                      std::optional<std::size_t> place, const KnownNames& known);

}  // namespace copse::sql
