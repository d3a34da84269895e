// Converts rows of a fleet to a report.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/stable_id.h"
#include "base/status.h"
#include "compare/identity/method_key.h"
#include "report/model/report_model.h"

namespace copse::fleet {

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

}  // namespace copse::fleet
