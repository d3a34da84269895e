// The trees of reports laid over each other.
#pragma once

#include <cstdint>
#include <vector>

#include "identity/merged_names.h"
#include "report/report_model.h"

namespace copse::identity {

struct MergedNodes {
  report::ReportModel::Nodes nodes;
  std::vector<std::vector<std::uint64_t>> measures;
  std::vector<std::uint8_t> parts;  // by node, those of the first eight that have it: 1 << part
  std::uint64_t max_depth = 0;
  // By part and thread, the row of the thread's node.
  std::vector<std::vector<std::int64_t>> thread_nodes;
};

// `columns`: for each measure of the result its values by part, null where the part lacks it. Sums of
// all values must fit 64 bits. Rows are in pre-order, children as report_model.h says.
MergedNodes merged_nodes(
    const std::vector<const report::ReportModel*>& parts, const MergedNames& names,
    const std::vector<std::vector<const std::vector<std::uint64_t>*>>& columns);

}  // namespace copse::identity
