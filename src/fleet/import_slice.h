// A report of the runs that a fleet has of a service, a version, some days.
#pragma once

#include <string>

#include "base/status.h"
#include "fleet/clickhouse.h"
#include "report/report_model.h"

namespace copse::fleet {

struct Slice {
  std::string service;  // "" in any of these: all
  std::string version;
  std::string since;  // days, "2026-11-23", both of them included
  std::string until;
};

// Whether the days are days; the error begins with the option's name.
Status check_slice(const Slice& slice);

// `server`: any of the fleet's. The report's proof is that of the runs; fails where it does not hold,
// and while a run is there in part only.
Result<report::ReportModel> read_slice(Server& server, const Slice& slice);

}  // namespace copse::fleet
