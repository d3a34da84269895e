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

// Samples behind a figure that was counted, or read from a clock.
inline constexpr std::uint64_t kExact = 0;

// A number with commas and at most `decimals` digits after the point. A figure of n samples, whose standard error is 1/√n
// of it, has the digits that the error allows, and one more: two of 1 to 99 samples, three of 100 to 9,999. For texts
// that do not show the error beside the figure.
std::string figure(double number, int decimals, std::uint64_t samples = kExact);

// Three digits in the unit with one to three digits before the point: "1,234", "510 ns", "51.1 ms",
// "1.23 GiB"; fewer for few samples. The largest unit of time is the second.
std::string in_words(Unit unit, std::uint64_t amount, std::uint64_t samples = kExact);

// A ratio in three digits or to the unit: "1,234", "12.3", "1.23", "0.05"; "<0.01" for a smaller
// one; fewer for few samples.
std::string in_digits(double ratio, std::uint64_t samples = kExact);

// The same for an amount with that standard error, with no digit that the error leaves open: as few as the error has, which
// is one digit, or two that begin with 1. An error of 0 means an exact amount.
std::string in_words_with_error(Unit unit, double amount, double error);
std::string in_digits_with_error(double ratio, double error);

// Uses one unit for all rows of a column: counts as they are, times in ms, sizes in B, KiB or MiB.
// An amount of 0 is "0".
class ColumnScale {
 public:
  // `total`: upper bound for all rows.
  ColumnScale(Unit unit, std::uint64_t total) noexcept;

  std::string_view suffix() const noexcept { return suffix_; }  // "ms"; "" for counts
  std::string text(std::uint64_t amount,
                   std::uint64_t samples = kExact) const;  // without the suffix

 private:
  std::string_view suffix_;
  double divisor_ = 1;
  int decimals_ = 0;
};

}  // namespace copse::report
