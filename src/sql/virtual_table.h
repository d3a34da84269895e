// Virtual SQLite tables of a query: read in place, by their own indexes.
#pragma once

#include "sql/table.h"

struct sqlite3;

namespace copse::sql {

// Makes `table` a virtual table of the same name. Returns SQLite's code. REQUIRES: `table` outlives the connection.
int add_virtual_table(sqlite3* database, const Table& table);

}  // namespace copse::sql
