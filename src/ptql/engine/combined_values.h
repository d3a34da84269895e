// Values of one selected item, of all tuples of a group, combined by SUM, MIN, MAX or AVG.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "ptql/language/query.h"

namespace copse::ptql {

// Exact sum of doubles and whole numbers: it does not depend on their order, and is rounded once.
//
// A fixed-point number that has every bit of every double, in digits of 32 bits. A digit may be beyond 32 bits for a
// while, so that an addition touches three digits and needs no carry.
class ExactSum {
 public:
  void add(double value);
  // REQUIRES: |value| < 2^110.
  void add(__int128 value);

  // Returns the nearest double, of two equally near ones the even one. Infinity, or NaN, if one of the doubles was it.
  double rounded() const;

 private:
  // Bit 0 counts 2^-1074, the least double. The largest has bit 2097; a sum of 2^64 of them 64 more.
  static constexpr int kUnit = 1074;  // bit of the number 1
  static constexpr std::size_t kDigits = (2098 + 64) / 32 + 2;
  using Digits = std::array<std::int64_t, kDigits>;

  void add_at(std::int64_t value, int bit);
  static void carry(Digits& digits);

  Digits digits_{};  // the last one has the sign
  std::uint32_t uncarried_ = 0;
  double special_ = 0;  // sum of what is not finite
};

class CombinedValues {
 public:
  // Adds a number, or the number in a box. Returns false for a value that is none; absent values and null are left out.
  bool add(Aggregate aggregate, const Value& value);
  // Absent if there was no number. A sum of whole numbers that does not fit a long is the nearest real.
  Value result(Aggregate aggregate) const;
  std::size_t heap_bytes() const noexcept { return reals_ ? sizeof(ExactSum) : 0; }

 private:
  void add_number(const Value& number);
  double sum() const;

  std::uint64_t numbers_ = 0;
  __int128 whole_ = 0;               // sum of the whole numbers
  std::unique_ptr<ExactSum> reals_;  // sum of the others; nullptr if there are none
  Value extreme_;                    // least or greatest number
};

}  // namespace copse::ptql
