// Costs of one operation of a program, over several runs: amounts of each measure, and the contexts that make them.
//
// An operation is an outermost call of a method, or a whole run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "compare/identity/run_ranges.h"
#include "report/exports/json_text.h"
#include "report/model/output.h"
#include "report/model/report_model.h"

namespace copse::cli {

// Measures of a report, and their words in text.
struct CostMeasure {
  std::string_view name, words;
};
inline constexpr std::array kCostMeasures = {
    CostMeasure{report::kCallsMeasure, "calls"}, CostMeasure{"allocated_bytes", "allocated bytes"},
    CostMeasure{"exceptions", "exceptions"}, CostMeasure{"contentions", "lock waits"}};

class OperationCosts {
 public:
  struct RunAmounts {
    std::uint64_t operations = 0;
    std::array<std::uint64_t, kCostMeasures.size()> amounts{};
    std::uint64_t lost = 0;  // calls that are in no context, or in a sum of evicted ones
  };

  // `per`: glob of the method; "" means that a run is an operation.
  OperationCosts(std::string program, std::string per)
      : program_(std::move(program)), per_(std::move(per)) {}

  const std::string& program() const noexcept { return program_; }
  const std::vector<RunAmounts>& runs() const noexcept { return runs_; }
  // Takes the report of one run. Error: the glob matches nothing.
  Status add(report::ReportModel run);

  // Writes the costs and their first `top` contexts. REQUIRES: called once, after the last add().
  void write_text(std::size_t top, std::size_t width, report::Output& out);
  // Writes an object, as an item of a list.
  void write_json(std::size_t top, report::JsonText& json);

 private:
  struct CostContext {
    std::int32_t row;
    std::uint64_t first, least, greatest;  // of the first run, and of all
  };
  std::vector<CostContext> contexts_of(const report::ReportModel& model, std::string_view measure,
                                       std::size_t top) const;

  const std::string program_, per_;
  std::vector<RunAmounts> runs_;
  identity::RunRanges ranges_;
};

}  // namespace copse::cli
