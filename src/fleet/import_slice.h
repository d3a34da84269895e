// A report of the runs that a fleet has of a service, a version, some days.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "fleet/clickhouse.h"
#include "fleet/slice_condition.h"
#include "report/model/report_model.h"

namespace copse::fleet {

struct Slice {
  std::string service;  // "" in any of these: all
  std::string version;
  std::string since;  // days, "2026-11-23", both of them included
  std::string until;
  std::optional<SliceCondition> where;  // of those, only runs of which this is true
};

// Whether the days are days; the error begins with the option's name.
Status check_slice(const Slice& slice);

// `server`: any of the fleet's. The report is a sum of runs, by the rules that all of a fleet have. The report's proof is that of the runs; fails where it does not hold,
// and while a run is there in part only.
Result<report::ReportModel> read_slice(Server& server, const Slice& slice);

}  // namespace copse::fleet
