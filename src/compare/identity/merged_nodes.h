// The trees of reports laid over each other.
#pragma once

#include <cstdint>
#include <vector>

#include "compare/identity/merged_names.h"
#include "report/model/report_model.h"

namespace copse::identity {

struct MergedNodes {
  // Rows are in pre-order, children as report_model.h says; no calls yet.
  report::ReportModel::Nodes nodes;
  std::uint64_t max_depth = 0;
  // By part, row of the part -> row of these. Several rows of one part can have the same.
  std::vector<std::vector<std::int32_t>> row_of;
};

// Memory: 12 bytes a row of the result, and 8 bytes a row of the parts.
MergedNodes merged_nodes(const std::vector<const report::ReportModel*>& parts,
                         const MergedNames& names);

// Adds a column of a part up, by row of the result. Sums must fit 64 bits.
void add_column(const std::vector<std::uint64_t>& values, const std::vector<std::int32_t>& row_of,
                std::vector<std::uint64_t>& sums);

}  // namespace copse::identity
