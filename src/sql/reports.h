// Reports of a query, and columns derived from their contexts on first use.
//
// Copies nothing of a report. Once used, derived columns take, per context: subtrees and depths 4 bytes each, an
// inclusive column 8, stable ids 16, an index 4.
// Threads: one at a time.
#pragma once

#include <algorithm>
#include <cstddef>
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

namespace copse::sql {

// Place of a row: its report, from 0; its index among the report's rows; its id, from 1, over all reports.
struct Place {
  std::size_t report = 0;
  std::size_t index = 0;
  std::int64_t id = 0;
};

// Rows of one table over several reports, the first report's first.
class RowNumbers {
 public:
  // `counts`: number of rows, by report.
  explicit RowNumbers(const std::vector<std::size_t>& counts) {
    for (const std::size_t count : counts) first_.push_back(first_.back() + count);
  }

  std::size_t count() const noexcept { return first_.back(); }
  // A report's rows are [first(report), first(report + 1)).
  std::size_t first(std::size_t report) const noexcept { return first_[report]; }
  Place place(std::size_t row) const noexcept {
    const auto after = std::upper_bound(first_.begin() + 1, first_.end(), row);
    const auto report = static_cast<std::size_t>(after - first_.begin()) - 1;
    return {report, row - first_[report], static_cast<std::int64_t>(row) + 1};
  }

 private:
  std::vector<std::size_t> first_ = {0};
};

// Returns the stable id of its digits, as hex() writes them.
std::optional<StableId> stable_id_of(std::string_view digits);

class Reports {
 public:
  struct File {
    std::string name;
    const report::ReportModel* model;  // check_invariants() is true; outlives this
    // By context, of a report from a database; nullptr: made of the contexts. Outlives this.
    const std::vector<StableId>* ids = nullptr;
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
  mutable std::optional<std::vector<StableId>> stable_ids_;
  mutable std::optional<std::vector<std::uint32_t>> by_stable_id_;
};

}  // namespace copse::sql
