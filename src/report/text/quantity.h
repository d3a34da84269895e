// Readable amounts: counts, times and sizes of memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace copse::report {

enum class Unit { kCount, kNanoseconds, kBytes };

// Returns the unit of a report's column `unit`: "ns", "bytes", "bytes (estimate)"; kCount for any
// other.
Unit unit_named(std::string_view name) noexcept;

// Three digits in the unit with one to three digits before the point: "1,234", "510 ns", "51.1 ms",
// "1.23 GiB". The largest unit of time is the second.
std::string in_words(Unit unit, std::uint64_t amount);

// A ratio in three digits or to the unit: "1,234", "12.3", "1.23", "0.05"; "<0.01" for a smaller
// one.
std::string in_digits(double ratio);

// The same for an amount with that standard error, with no digit that the error leaves open: as few as the error has, which
// is one digit, or two that begin with 1. An error of 0 means an exact amount.
std::string in_words(Unit unit, double amount, double error);
std::string in_digits(double ratio, double error);

// Uses one unit for all rows of a column: counts as they are, times in ms, sizes in B, KiB or MiB.
// An amount of 0 is "0".
class ColumnScale {
 public:
  // `total`: upper bound for all rows.
  ColumnScale(Unit unit, std::uint64_t total) noexcept;

  std::string_view suffix() const noexcept { return suffix_; }  // "ms"; "" for counts
  std::string text(std::uint64_t amount) const;                 // without the suffix

 private:
  std::string_view suffix_;
  double divisor_ = 1;
  int decimals_ = 0;
};

}  // namespace copse::report
