// Rows of a fleet as a report.
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

struct SliceRows {
  struct Context {
    StableId id, parent, method;
    std::int32_t bci = -1;  // fleet/tables.h has the values below 0
    std::int32_t line = -1;
  };
  struct Value {
    StableId context;
    std::uint64_t value = 0;
  };
  std::vector<Context> contexts;  // each once
  std::map<StableId, identity::MethodKey> methods;
  std::vector<Value> calls;
  std::vector<report::ReportModel::Measure> measures;  // without values
  std::vector<std::vector<Value>> values;              // of each measure
};

// The nodes, methods, sites and measures of a report, and the totals that follow from them. Contexts
// with nothing in them or below are left out. Fails when a row is of a context, or below one, or of a
// method, that is not there.
Result<report::ReportModel> model_of_rows(const SliceRows& rows);

}  // namespace copse::fleet
