// Contexts of an imported report (imported_report.h).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "base/flat_map.h"
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

  // Writes methods, sites and nodes with 0 calls. REQUIRES: `model` has none.
  Status write_into(report::ReportModel& model);

  // Returns the amounts of a value by row.
  std::vector<std::uint64_t> column(std::size_t value) const;
  // Returns the numbers of samples behind column(), by row. REQUIRES:
  // SampledStacks::has_samples(value).
  std::vector<std::uint64_t> samples(std::size_t value) const;

 private:
  using OfNode = std::uint64_t (SampledStacks::*)(std::uint32_t node, std::size_t value) const;
  using Method = std::tuple<std::string, std::string, std::string>;   // class, name, descriptor
  using Site = std::tuple<std::int32_t, std::int32_t, std::int32_t>;  // caller, line, bci
  static constexpr std::size_t kMostContexts = std::numeric_limits<std::int32_t>::max() - 1;

  std::vector<std::uint64_t> by_row(OfNode of_node, std::size_t value) const;
  void take_methods(report::ReportModel& model);
  void take_sites(report::ReportModel& model);
  void find_contexts();
  std::uint32_t context(std::uint32_t parent, std::int32_t site, std::int32_t method);
  void write_nodes(report::ReportModel& model);

  const SampledStacks& stacks_;
  std::vector<std::int32_t> method_of_frame_;
  std::int32_t no_caller_ = -1, missing_frames_ = -1;  // methods; -1 if not needed
  std::vector<std::int32_t> site_of_frame_;            // site of a call from the frame
  // Key of a call: method in the upper half, site plus 1 in the lower half.
  FlatMap<std::uint64_t, std::uint32_t> call_ids_;  // index into calls_ plus 1
  std::vector<std::uint64_t> calls_;
  FlatMap<std::uint64_t, std::uint32_t>
      context_ids_;                     // by parent and call; index of the context plus 1
  std::vector<std::uint32_t> parents_;  // by context, like call_of_
  std::vector<std::uint32_t> call_of_;
  std::vector<std::uint32_t> contexts_;  // by node of the stacks
  std::vector<std::uint32_t> row_of_;
};

}  // namespace copse::join
