// Values of one selected item, of all tuples of a group, combined by SUM, MIN, MAX or AVG.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "ptql/engine/exact_sum.h"
#include "ptql/language/query.h"

namespace copse::ptql {

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
