// Reports as a file of SQLite: the tables of a query as ordinary ones, with their indexes and views.
#pragma once

#include <string>

#include "base/status.h"
#include "sql/reports.h"

namespace copse::query {

// Of the file, in its user_version: it changes when a column comes, goes or changes its meaning.
inline constexpr int kDatabaseVersion = 1;

// Replaces the file in one step (base/replaced_file.h). Rows are written as they are made, in one
// transaction. The error is "PATH: why", and the old file is still there.
Status write_database_file(const Reports& reports, const std::string& path);

}  // namespace copse::query
