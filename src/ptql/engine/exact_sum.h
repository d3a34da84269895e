// Exact sum of doubles and whole numbers: it does not depend on their order, and is rounded once.
//
// A fixed-point number that has every bit of every double, in digits of 32 bits. A digit may be beyond 32 bits for a
// while, so that an addition touches three digits and needs no carry.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace copse::ptql {

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

}  // namespace copse::ptql
