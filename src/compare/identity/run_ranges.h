// Several runs of one program as one report: the first run's, and what each context had in the run
// where it had least, and in that where it had most (docs/formats.md, "Several runs").
//
// Cost: as of Merge, with three columns for each measure instead of one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "report/model/report_model.h"

namespace copse::identity {

// Whether a measure of the report says what contexts had least, or most, in its runs.
bool is_range(const report::ReportModel& model, const std::string& measure);
// The report as that of its first run alone: without ranges. Whether it had some.
bool drop_ranges(report::ReportModel& model);

class RunRanges {
 public:
  // One after the other, so that no more than one run is in memory beside the ranges.
  void add(report::ReportModel run);

  std::uint64_t runs() const noexcept { return runs_; }
  // Contexts whose calls are not the same in all runs, once complete.
  std::uint64_t differing_contexts() const;

  // After the last add(), once. Of one run its report, with equal contexts as one. Where calls
  // differ between runs its last note says where.
  report::ReportModel take();

 private:
  // Of calls, and of each measure of the first run.
  struct Column {
    std::string name;
    std::string unit;
    std::uint64_t lost = 0;  // in the first run, then in that which lost fewest, and most
    std::uint64_t least_lost = 0;
    std::uint64_t greatest_lost = 0;
    bool in_all = true;  // runs
    std::vector<std::uint64_t> first, least, greatest;
  };

  void begin(report::ReportModel run);
  void lay_over(report::ReportModel run);
  void add_threads_of(const std::vector<report::ReportModel::Thread>& threads);
  std::string difference() const;
  std::string threads_of(std::int32_t entry) const;

  std::uint64_t runs_ = 0;
  report::ReportModel first_;  // with the nodes of all; behind its own threads those of others
  std::size_t threads_of_first_ = 0;
  std::vector<Column> columns_;  // calls first
};

}  // namespace copse::identity
