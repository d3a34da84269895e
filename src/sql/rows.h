// Row numbers of a query's tables over several reports, and ways through some of the rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace copse::sql {

// Place of a row: its report, from 0; its index among the report's rows; its id, from 1, over all reports.
struct Place {
  std::size_t report = 0;
  std::size_t index = 0;
  std::int64_t id = 0;
};

// Rows of one table, the first report's first.
class RowNumbers {
 public:
  // `counts`: number of rows, by report.
  explicit RowNumbers(const std::vector<std::size_t>& counts) {
    for (const std::size_t count : counts) first_.push_back(first_.back() + count);
  }

  std::size_t count() const noexcept { return first_.back(); }
  std::size_t reports() const noexcept { return first_.size() - 1; }
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

// A way through rows: ascending, in the order of a list, or reversed. Refers to its arguments.
class Rows {
 public:
  static Rows range(std::size_t begin, std::size_t end) noexcept {
    return {begin, std::max(begin, end)};
  }
  static Rows none() noexcept { return range(0, 0); }
  static Rows listed(std::span<const std::uint32_t> rows) noexcept {
    Rows way(0, rows.size());
    way.list_ = rows.data();
    return way;
  }
  // Starts at `begin`; after each row, skips as many further rows as `steps` has for it.
  static Rows stepped(std::size_t begin, std::size_t end,
                      const std::vector<std::uint32_t>& steps) noexcept {
    Rows way(begin, end);
    way.steps_ = steps.data();
    return way;
  }

  // Returns the same rows, last first. REQUIRES: not made by stepped().
  Rows backwards() const noexcept {
    Rows way = *this;
    way.is_backwards_ = true;
    return way;
  }

  bool at_end() const noexcept { return at_ >= end_; }
  std::size_t row() const noexcept {
    const std::size_t place = is_backwards_ ? begin_ + (end_ - 1 - at_) : at_;
    return list_ != nullptr ? list_[place] : place;
  }
  void next() noexcept { at_ += steps_ != nullptr ? steps_[at_] : 1; }

 private:
  Rows(std::size_t begin, std::size_t end) noexcept : begin_(begin), at_(begin), end_(end) {}

  std::size_t begin_;
  std::size_t at_;
  std::size_t end_;
  const std::uint32_t* list_ = nullptr;
  const std::uint32_t* steps_ = nullptr;
  bool is_backwards_ = false;
};

}  // namespace copse::sql
