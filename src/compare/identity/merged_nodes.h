// Merges the trees of several reports.
#pragma once

#include <cstdint>
#include <vector>

#include "compare/identity/merged_names.h"
#include "report/model/report_model.h"

namespace copse::identity {

struct MergedNodes {
  // In pre-order, with the order of children of report_model.h; without calls.
  report::ReportModel::Nodes nodes;
  std::uint64_t max_depth = 0;
  // By part: row of the part -> row of `nodes`. Several rows of one part can map to the same row.
  std::vector<std::vector<std::int32_t>> row_of;
};

// Memory: 12 bytes per row of the result and 8 bytes per row of the parts.
MergedNodes merged_nodes(const std::vector<const report::ReportModel*>& parts,
                         const MergedNames& names);

// Adds a column of a part to `sums`, by row of the result. REQUIRES: sums fit 64 bits.
void add_column(const std::vector<std::uint64_t>& values, const std::vector<std::int32_t>& row_of,
                std::vector<std::uint64_t>& sums);

}  // namespace copse::identity
