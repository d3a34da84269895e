// Reads back what write_database_file() wrote: the trees, call sites and options of its reports, and nothing else of them.
#pragma once

#include <string>
#include <vector>

#include "base/stable_id.h"
#include "base/status.h"
#include "report/model/report_model.h"

struct sqlite3;

namespace copse::sql {

// A report of a database, with its methods, sites, contexts, calls and options alone.
struct ReadReport {
  std::string name;  // of the file it was made of
  report::ReportModel report;
  std::vector<StableId> ids;  // by context
};

// Opens a database for reading only. Error: "PATH: why", for a file that is no database of this version, cannot be read
// now, or would get files beside it by being read. Else the caller closes `database`.
Status open_database_file(const std::string& path, sqlite3*& database);

// Returns the reports in the order of the database. Error: "PATH: why", for rows that make no trees. `path`: for messages.
Result<std::vector<ReadReport>> read_database(sqlite3* database, const std::string& path);
// Opens, reads and closes.
Result<std::vector<ReadReport>> read_database_file(const std::string& path);

}  // namespace copse::sql
