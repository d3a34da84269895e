// Reports of a query, and columns derived from their contexts on first use.
//
// Copies nothing of a report. Once used, derived columns take, per context: subtrees and depths 4 bytes each, an
// inclusive column 8, stable ids 16, an index 4.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/number_column.h"
#include "base/stable_id.h"
#include "base/status.h"
#include "report/model/report_model.h"
#include "sql/rows.h"

namespace copse::sql {

// Rows grouped by a number that each of them has; ascending within a group.
class RowIndex {
 public:
  // `number_of(row)`: less than `numbers`, or negative for a row to leave out.
  template <typename NumberOf>
  RowIndex(std::size_t rows, std::size_t numbers, NumberOf number_of);

  // Returns the rows whose number is id - 1; empty if `id` is no id.
  std::span<const std::uint32_t> rows_of(std::int64_t id) const noexcept;
  std::span<const std::uint32_t> all() const noexcept { return rows_; }

 private:
  std::vector<std::uint32_t> first_;  // by number
  std::vector<std::uint32_t> rows_;
};

class Reports {
 public:
  struct File {
    std::string name;
    const report::ReportModel* model;  // check_invariants() is true; outlives this
  };

  // Fails if an amount exceeds SQL's signed integers, or if a sum was merged by unknown rules. Error: "FILE: why".
  static Result<Reports> make(std::vector<File> files);

  std::size_t size() const noexcept { return files_.size(); }
  const std::string& name(std::size_t report) const noexcept { return files_[report].name; }
  const report::ReportModel& model(std::size_t report) const noexcept {
    return *files_[report].model;
  }

  // Contexts are all nodes but ROOT: context i is node i + 1 of its report.
  const RowNumbers& contexts() const noexcept { return contexts_; }
  const RowNumbers& methods() const noexcept { return methods_; }
  const RowNumbers& sites() const noexcept { return sites_; }
  static std::size_t node(const Place& context) noexcept { return context.index + 1; }

  // Names of the measures of all reports, each once, in order of appearance.
  const std::vector<std::string>& measures() const noexcept { return measures_; }
  // Returns a report's values by node; nullptr if the report lacks the measure. `measure`: index into measures().
  const NumberColumn* values(std::size_t report, std::size_t measure) const noexcept {
    return values_[report][measure];
  }

  // By row of contexts().
  // number of rows in the subtree, including itself
  const std::vector<std::uint32_t>& subtrees() const;
  const std::vector<std::uint32_t>& depths() const;  // outermost contexts have 1
  const NumberColumn& inclusive_calls() const;
  const NumberColumn& inclusive(std::size_t measure) const;
  const RowIndex& by_method() const;  // contexts by row of methods()
  const RowIndex& by_site() const;    // contexts by row of sites()
  // By the rules that a sum was merged by; for a single run, the default rules.
  const std::vector<StableId>& stable_ids() const;
  // Returns the contexts with the stable id of these 32 digits, ascending: several if contexts are equal by the rules,
  // or are in several reports.
  std::span<const std::uint32_t> rows_of_stable_id(std::string_view digits) const;

 private:
  explicit Reports(std::vector<File> files);
  // `values_of(report)`: values by node; nullptr for a report without any.
  template <typename ValuesOf>
  NumberColumn inclusive_of(ValuesOf values_of) const;

  std::vector<File> files_;
  RowNumbers contexts_, methods_, sites_;
  std::vector<std::string> measures_;
  std::vector<std::vector<const NumberColumn*>> values_;  // by report and measure
  mutable std::optional<std::vector<std::uint32_t>> subtrees_, depths_;
  mutable std::optional<NumberColumn> inclusive_calls_;
  mutable std::vector<std::optional<NumberColumn>> inclusive_;
  mutable std::optional<RowIndex> by_method_, by_site_;
  mutable std::optional<std::vector<StableId>> stable_ids_;
  mutable std::optional<std::vector<std::uint32_t>> by_stable_id_;
};

template <typename NumberOf>
RowIndex::RowIndex(std::size_t rows, std::size_t numbers, NumberOf number_of)
    : first_(numbers + 1) {
  for (std::size_t row = 0; row < rows; ++row) {
    const std::int64_t number = number_of(row);
    if (number >= 0) ++first_[static_cast<std::size_t>(number)];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& first : first_) first = std::exchange(sum, sum + first);
  rows_.resize(sum);
  // The first row of each number moves to its end, which is where the next number begins.
  for (std::size_t row = 0; row < rows; ++row) {
    const std::int64_t number = number_of(row);
    if (number >= 0) {
      rows_[first_[static_cast<std::size_t>(number)]++] = static_cast<std::uint32_t>(row);
    }
  }
  for (std::size_t number = first_.size(); number-- > 1;) first_[number] = first_[number - 1];
  first_[0] = 0;
}

}  // namespace copse::sql
