// Contexts of an imported report (imported_report.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/number_column.h"
#include "base/status.h"
#include "import/sampled_stacks.h"
#include "report/model/report_model.h"

namespace copse::join {

// Converts nodes and names of stacks to those of a report. A context is identified by caller, call
// site and method. Stacks are also distinguished by the later place of a frame, so several of their
// nodes can map to one context.
class ImportedTree {
 public:
  explicit ImportedTree(const SampledStacks& stacks) : stacks_(stacks) {}

  // Writes methods, sites and nodes with 0 calls, and no totals. REQUIRES: `model` has none.
  Status write_into(report::ReportModel& model);

  // Returns the amounts of a value by row.
  NumberColumn column(std::size_t value) const;
  // Returns the numbers of samples behind column(), by row. REQUIRES:
  // SampledStacks::has_samples(value).
  NumberColumn samples(std::size_t value) const;

 private:
  using OfNode = std::uint64_t (SampledStacks::*)(std::uint32_t node, std::size_t value) const;

  NumberColumn by_row(OfNode of_node, std::size_t value) const;

  const SampledStacks& stacks_;
  std::vector<std::int32_t> row_of_;  // by node of the stacks
  std::size_t rows_ = 0;
};

}  // namespace copse::join
