// Makes a report of a fleet's runs of a service, a version or a range of days.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "fleet/clickhouse.h"
#include "fleet/selection_condition.h"
#include "report/model/report_model.h"

namespace copse::fleet {

struct Selection {
  std::string service;  // "" in service, version, since or until means all
  std::string version;
  std::string since;  // days, "2026-11-23", both included
  std::string until;
  std::optional<SelectionCondition> where;  // std::nullopt means no further condition
};

// Returns an error, which begins with the option's name, unless the days are valid.
Status check_selection(const Selection& selection);

// Returns the sum of the selection's runs, by the rules common to all runs of a fleet. `server`: any
// server of the fleet. The report's proof is that of the runs. Returns an error when it does not
// hold, or while a run is there in part only.
Result<report::ReportModel> read_selection(Server& server, const Selection& selection);

}  // namespace copse::fleet
