// Stable ids as a column beside the nodes of a report. src/compare/identity, a module above this
// one, defines and makes them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/stable_id.h"
#include "report/model/report_model.h"

namespace copse::report {

struct StableIdColumn {
  std::string rules;          // "copse.context/1 sites=bci names=normalised"
  std::vector<StableId> ids;  // one per node, ROOT first
};

// Makes the ids of a report that is being written; called when its final contexts are known.
using MakeStableIds = std::function<StableIdColumn(const ReportModel&)>;

}  // namespace copse::report
