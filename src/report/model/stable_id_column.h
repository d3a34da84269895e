// Stable ids as a column beside the nodes of a report. What they are, and who makes them: src/compare/identity,
// which lies above this module.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/stable_id.h"
#include "report/model/report_model.h"

namespace copse::report {

struct StableIdColumn {
  std::string rules;  // by which they were made: "copse.context/1 sites=bci names=normalised"
  std::vector<StableId> ids;  // of every node, ROOT's first
};

// Asked for the ids of what is written, when that is known.
using MakeStableIds = std::function<StableIdColumn(const ReportModel&)>;

}  // namespace copse::report
