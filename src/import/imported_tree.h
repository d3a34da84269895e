// The contexts of imported_report.h.
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

// Nodes and names of stacks as those of a report. Contexts are told apart by caller, call site and method;
// stacks also by where a frame is later on, so several of their nodes can be one context.
class ImportedTree {
 public:
  explicit ImportedTree(const SampledStacks& stacks) : stacks_(stacks) {}

  // Methods, sites and nodes, which have 0 calls, into a report that has none.
  Status write_into(report::ReportModel& model);

  // The amounts of a value by row.
  std::vector<std::uint64_t> column(std::size_t value) const;
  // The numbers of samples that these are of, where SampledStacks::has_samples().
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
  std::int32_t no_caller_ = -1, missing_frames_ = -1;  // methods, where they are needed
  std::vector<std::int32_t> site_of_frame_;            // of a call from there
  // A call: its method in the upper half, one more than its site in the lower.
  FlatMap<std::uint64_t, std::uint32_t> call_ids_;  // one more than the number
  std::vector<std::uint64_t> calls_;
  FlatMap<std::uint64_t, std::uint32_t>
      context_ids_;                     // by parent and call, one more than the number
  std::vector<std::uint32_t> parents_;  // by context, as is what follows
  std::vector<std::uint32_t> call_of_;
  std::vector<std::uint32_t> contexts_;  // by node of the stacks
  std::vector<std::uint32_t> row_of_;
};

}  // namespace copse::join
