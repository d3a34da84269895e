// Slices in a report: their columns, and questions about them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "base/ids.h"
#include "base/status.h"
#include "cct/inplace/laid_slices.h"
#include "report/model/report_model.h"

namespace copse::report {

// Returns the columns of recorded slices. `method_row`: row of a method; `row_of`: rows by node of the tree.
ReportModel::Slices slices_of(const cct::LaidSlices& slices,
                              const std::function<std::int32_t(MethodId)>& method_row,
                              std::span<const std::int32_t> row_of);
// Moves the contexts of slices to other rows; those that come to one row become one.
void move_slices(std::span<const std::int32_t> row_of, ReportModel::Slices& slices);
// The same where methods come to other rows, too. `method_of`: by row of the methods.
void move_slices(std::span<const std::int32_t> method_of, std::span<const std::int32_t> row_of,
                 ReportModel::Slices& slices);
// Checks the columns of a report that was read.
Status check_slices(const ReportModel& model);

// Returns the first of a kept slice's rows in Slices::contexts.
std::size_t first_context(const ReportModel::Slices& slices, std::size_t kept);

// Returns the number of tasks that a kept slice handed over to other threads, and that ended.
std::uint64_t tasks_of(const ReportModel::Slices& slices, std::size_t kept);

// Returns the span in which a kept slice began.
ReportModel::Span span_of(const ReportModel::Slices& slices, std::size_t kept);

// Words for kept slices besides their ids.
inline constexpr const char* kSlowestSlice = "slowest";
inline constexpr const char* kMostCallsSlice = "most-calls";
inline constexpr const char* kTypicalSlice = "typical";

// Finds a kept slice by its id or one of the words; the typical one is that of the sample whose time is the median.
Result<std::size_t> find_slice(const ReportModel& model, const std::string& which);

// Returns the kept slice of the sample with the median time, among those of a method; std::nullopt if there is none.
std::optional<std::size_t> typical_slice(const ReportModel::Slices& slices, std::int32_t method);

// Returns the typical slice of a kept slice's method if it makes as many calls in each of its contexts in at most half the
// time: calls are not why the slice was slow. std::nullopt otherwise.
std::optional<std::size_t> faster_with_as_many_calls(const ReportModel::Slices& slices,
                                                     std::size_t kept);

// Calls of a method in one slice, over all slices of a method. `slices`: number of all of them.
class CallsInSlices {
 public:
  // `row`: row of Slices::calls.
  CallsInSlices(const ReportModel::Slices& slices, std::size_t row);

  std::uint64_t slices() const noexcept { return slices_; }
  // Returns the least number that at least this share of the slices, in thousandths, do not exceed. A number of 256 or
  // more is up to 0.8 % too small.
  std::uint64_t quantile(std::uint64_t thousandths) const;

 private:
  const ReportModel::Slices::Buckets& buckets_;
  std::size_t first_ = 0, count_ = 0;
  std::uint64_t slices_ = 0;
  std::uint64_t without_ = 0;  // slices that did not call it
};

}  // namespace copse::report
