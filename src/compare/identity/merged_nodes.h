// Merges the trees of several reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "compare/identity/merged_names.h"
#include "report/model/report_model.h"

namespace copse::identity {

// Returns an error when amounts of both reports do not compare, or both have more contexts than rows can be numbered:
// "cpu_ns: is in us, and in ns in OTHER". `other`: the other report in words.
Status check_alike(const report::ReportModel& report, const report::ReportModel& other_report,
                   const std::string& other);

struct MergedNodes {
  report::ReportModel::Nodes nodes;  // without calls
  // By part: row of the part -> row of `nodes`. Several rows of one part can map to the same row.
  std::vector<std::vector<std::int32_t>> row_of;
};

// Cost and memory: those of report::rows_of() for the rows of all parts.
MergedNodes merged_nodes(const std::vector<const report::ReportModel*>& parts,
                         const MergedNames& names);

}  // namespace copse::identity
