// What a statement with a wrong name was most likely meant to say: the end of an error message.
//
// The statement is read word by word, for the tables that each SELECT reads and what they are called there. What a
// subquery or WITH makes has columns that are not known here; then a hint says less.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse::query {

struct KnownNames {
  struct Columns {
    std::string table;  // or view
    std::vector<std::string> columns;
  };
  struct Function {
    std::string name;
    std::string usage;  // "under(id, glob)" of Copse's own; "" of SQLite's
  };
  std::vector<Columns> tables;
  std::vector<Function> functions;
};

// Returns "; did you mean name?" or the like, "" if there is nothing to say. A hint never proposes what the statement
// already has in that place.
// `message`: SQLite's. `place`: where in the statement the error is, std::nullopt if SQLite does not say.
std::string name_hint(std::string_view message, std::string_view statement,
                      std::optional<std::size_t> place, const KnownNames& known);

}  // namespace copse::query
