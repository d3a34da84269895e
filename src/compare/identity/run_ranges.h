// Combines several runs of one program into one report: the first run, with the least and the
// greatest value of each context over all runs (docs/report-schema.md, "Several runs").
//
// Cost: as for Merge, with three columns per measure instead of one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/number_column.h"
#include "base/status.h"
#include "report/model/report_model.h"

namespace copse::identity {

// Returns true if the measure has the least or greatest values over the runs of the report.
bool is_range(const report::ReportModel& model, const std::string& measure);
// Reduces the report to its first run by dropping ranges. Returns true if there were any.
bool drop_ranges(report::ReportModel& model);

class RunRanges {
 public:
  // Takes runs one after the other, so at most one run is in memory beside the ranges.
  void add(report::ReportModel run);

  std::uint64_t runs() const noexcept { return runs_; }
  // Returns the number of contexts whose calls differ between runs. REQUIRES: all runs are added.
  std::uint64_t differing_contexts() const;

  // Returns the report. A single run is returned with equal contexts merged. When calls differ
  // between runs, the last note says where. REQUIRES: called once, after the last add().
  report::ReportModel take();

 private:
  // Calls, or a measure of the first run.
  struct Column {
    std::string name;
    std::string unit;
    std::uint64_t lost = 0;  // in the first run; the least and the greatest of all runs follow
    std::uint64_t least_lost = 0;
    std::uint64_t greatest_lost = 0;
    bool in_all = true;  // runs
    NumberColumn first, least, greatest;
    std::vector<std::uint64_t> of_threads = {};  // in the first run
  };

  void begin(report::ReportModel run);
  void lay_over(report::ReportModel run);
  void add_threads_of(const std::vector<report::ReportModel::Thread>& threads);
  std::string difference() const;
  std::string threads_of(std::int32_t entry) const;

  std::uint64_t runs_ = 0;
  report::ReportModel first_;  // with the nodes of all runs; its own threads come first
  std::size_t threads_of_first_ = 0;
  std::vector<Column> columns_;  // calls first
};

}  // namespace copse::identity
