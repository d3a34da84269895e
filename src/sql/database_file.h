// Writes reports as an SQLite file: the tables of a query as ordinary tables, with their indexes and views.
#pragma once

#include <string>

#include "base/status.h"
#include "sql/reports.h"

namespace copse::sql {

// Format version, stored in the file's user_version. Changes when a column is added, removed or redefined.
inline constexpr int kDatabaseVersion = 1;

// Replaces the file in one step (base/replaced_file.h). Writes rows as they are made, in one transaction. Error: "PATH:
// why"; the old file is kept.
Status write_database_file(const Reports& reports, const std::string& path);

}  // namespace copse::sql
