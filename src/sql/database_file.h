// Writes reports as an SQLite file: the tables and views of a query, with all columns and indexes.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "sql/reports.h"

namespace copse::sql {

// Format version, stored in the file's user_version. Changes when a column is added, removed or redefined.
inline constexpr int kDatabaseVersion = 1;
// Message about a file of another version, or of another program.
inline constexpr std::string_view kOtherDatabase =
    "is no database of this version of Copse: make it again";

// Replaces the file in one step (base/replaced_file.h). Writes rows as they are made, in one transaction. Error: "PATH:
// why"; the old file is kept.
Status write_database_file(const Reports& reports, const std::string& path);

}  // namespace copse::sql
