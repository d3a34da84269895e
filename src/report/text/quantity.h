// Amounts as people read them: counts, times and sizes of memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace copse::report {

enum class Unit { kCount, kNanoseconds, kBytes };

// Of what the report's column `unit` says: "ns", "bytes", "bytes (estimate)"; all else is counted.
Unit unit_named(std::string_view name) noexcept;

// In the unit that leaves one to three digits before the point, three in all: "1,234", "510 ns",
// "51.1 ms", "1.23 GiB". Minutes and hours are seconds.
std::string in_words(Unit unit, std::uint64_t amount);

// A ratio, in three digits or to the unit: "1,234", "12.3", "1.23", "0.05"; "<0.01" of a small one.
std::string in_digits(double ratio);

// One unit for all rows of a column, so that they compare: counts as they are, times in ms, sizes
// in B, KiB or MiB; nothing at all is 0.
class ColumnScale {
 public:
  // `total`: no row has more.
  ColumnScale(Unit unit, std::uint64_t total) noexcept;

  std::string_view suffix() const noexcept { return suffix_; }  // "ms"; "" of counts
  std::string text(std::uint64_t amount) const;                 // without it

 private:
  std::string_view suffix_;
  double divisor_ = 1;
  int decimals_ = 0;
};

}  // namespace copse::report
