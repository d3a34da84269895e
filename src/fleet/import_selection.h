// Makes a report of a fleet's runs of a service, a version or a range of days.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/stable_id.h"
#include "base/status.h"
#include "compare/identity/method_key.h"
#include "fleet/clickhouse.h"
#include "fleet/selection_condition.h"
#include "report/model/report_model.h"

namespace copse::fleet {

// Converts rows of a fleet to a report.
struct SelectionRows {
  struct Context {
    StableId id, parent, method;
    std::int32_t bci = -1;  // fleet/tables.h defines the values below 0
    std::int32_t line = -1;
  };
  struct Value {
    StableId context;
    std::uint64_t value = 0;
  };
  std::vector<Context> contexts;  // without duplicates
  std::map<StableId, identity::MethodKey> methods;
  std::vector<Value> calls;
  std::vector<report::ReportModel::Measure> measures;  // without values
  std::vector<std::vector<Value>> values;              // by measure
};

// Returns the nodes, methods, sites and measures of a report, with the totals derived from them.
// Leaves out contexts with no values in their subtree. Returns an error for a row with a missing
// context, ancestor or method.
Result<report::ReportModel> model_of_rows(const SelectionRows& rows);

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
