// The tables of a query as SQLite sees them: read in place, by the indexes that they have.
#pragma once

#include "sql/table.h"

struct sqlite3;

namespace copse::query {

// Makes `table`, which outlives the connection, a virtual table of its name. Gives SQLite's code.
int add_virtual_table(sqlite3* database, const Table& table);

}  // namespace copse::query
