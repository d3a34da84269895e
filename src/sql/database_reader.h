// Reads back what write_database_file() wrote: the trees, call sites and options of its reports, and nothing else of them.
#pragma once

#include <string>
#include <vector>

#include "base/stable_id.h"
#include "base/status.h"
#include "report/model/report_model.h"

namespace copse::sql {

// A report of a database, with its methods, sites, contexts, calls and options alone.
struct ReadReport {
  std::string name;  // of the file it was made of
  report::ReportModel report;
  std::vector<StableId> ids;  // by context
};

// Returns the reports in the order of the database. Opens it for reading only. Error: "PATH: why", for a file that is no
// database of this version, or whose rows make no trees.
Result<std::vector<ReadReport>> read_database_file(const std::string& path);

}  // namespace copse::sql
