// The reports that a query is about, and what is derived of their contexts when it is first asked for.
//
// Nothing of a report is copied. Derived columns take, once used: subtrees and depths 4 bytes a
// context each, an inclusive column 8, stable ids 16, an index 4.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/stable_id.h"
#include "base/status.h"
#include "report/model/report_model.h"
#include "sql/rows.h"

namespace copse::query {

// Rows by a number that each of them has: those with the same number together, in ascending order.
class RowIndex {
 public:
  // `number_of(row)`: below `numbers`, or negative for rows that are left out.
  template <typename NumberOf>
  RowIndex(std::size_t rows, std::size_t numbers, NumberOf number_of);

  // Those of the row with this id, whose number is one less; none of what is no id.
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
    const report::ReportModel* model;  // of which check_invariants() is true; outlives this
  };

  // Fails when an amount is too large for SQL's integers, which have a sign, and for a sum that was
  // merged by rules that are not known: "FILE: why".
  static Result<Reports> make(std::vector<File> files);

  std::size_t size() const noexcept { return files_.size(); }
  const std::string& name(std::size_t report) const noexcept { return files_[report].name; }
  const report::ReportModel& model(std::size_t report) const noexcept {
    return *files_[report].model;
  }

  // Contexts are all nodes but ROOT: that with index i is node i + 1 of its report.
  const RowNumbers& contexts() const noexcept { return contexts_; }
  const RowNumbers& methods() const noexcept { return methods_; }
  const RowNumbers& sites() const noexcept { return sites_; }
  static std::size_t node(const Place& context) noexcept { return context.index + 1; }

  // Names of the measures of all reports, each once, in the order in which they come.
  const std::vector<std::string>& measures() const noexcept { return measures_; }
  // Of a report, by node; nothing if it does not have the measure. `measure`: index into measures().
  const std::vector<std::uint64_t>* values(std::size_t report, std::size_t measure) const noexcept {
    return values_[report][measure];
  }

  // By row of contexts().
  const std::vector<std::uint32_t>& subtrees() const;  // rows of each, itself included
  const std::vector<std::uint32_t>& depths() const;    // outermost contexts have 1
  const std::vector<std::uint64_t>& inclusive_calls() const;
  const std::vector<std::uint64_t>& inclusive(std::size_t measure) const;
  const RowIndex& by_method() const;  // of contexts, by row of methods()
  const RowIndex& by_site() const;    // of contexts, by row of sites()
  // By the rules that a sum was merged by; of a single run by the default ones.
  const std::vector<StableId>& stable_ids() const;
  // Of contexts with the stable id of these 32 digits, in ascending order: several where contexts are
  // equal by the rules, or in several reports.
  std::span<const std::uint32_t> rows_of_stable_id(std::string_view digits) const;

 private:
  explicit Reports(std::vector<File> files);
  // `values_of(report)`: by node, nullptr for a report that counts as without any.
  template <typename ValuesOf>
  std::vector<std::uint64_t> inclusive_of(ValuesOf values_of) const;

  std::vector<File> files_;
  RowNumbers contexts_, methods_, sites_;
  std::vector<std::string> measures_;
  std::vector<std::vector<const std::vector<std::uint64_t>*>> values_;  // by report and measure
  mutable std::optional<std::vector<std::uint32_t>> subtrees_, depths_;
  mutable std::optional<std::vector<std::uint64_t>> inclusive_calls_;
  mutable std::vector<std::optional<std::vector<std::uint64_t>>> inclusive_;
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
  // Each number's first row moves on to its end, which is where the next one's begin.
  for (std::size_t row = 0; row < rows; ++row) {
    const std::int64_t number = number_of(row);
    if (number >= 0) {
      rows_[first_[static_cast<std::size_t>(number)]++] = static_cast<std::uint32_t>(row);
    }
  }
  for (std::size_t number = first_.size(); number-- > 1;) first_[number] = first_[number - 1];
  first_[0] = 0;
}

}  // namespace copse::query
