// A column of amounts in a text format: right-aligned, in one unit, under a heading with the
// measure and the unit.
#pragma once

#include <cstdint>
#include <string>

#include "report/model/measure_view.h"
#include "report/model/quantity.h"

namespace copse::report {

// Headings of an amount column, printable and at most 24 characters without the unit.
struct AmountHeading {
  std::string exclusive;  // "exceptions", "cpu ms", "allocated MiB"
  std::string in_unit;    // for a place below another word: "exceptions", "ms"
};
AmountHeading heading_of(const MeasureView& view);

class AmountColumn {
 public:
  // "exceptions", "cpu ms", "allocated MiB".
  static AmountColumn exclusive(const MeasureView& view);
  // "inclusive exceptions", "inclusive ms".
  static AmountColumn inclusive(const MeasureView& view);

  // All texts have the same width.
  std::string heading() const { return padded(heading_); }
  std::string text(std::uint64_t amount, std::uint64_t samples = kExact) const {
    return padded(scale_.text(amount, samples));
  }
  std::string blank() const { return padded(""); }

 private:
  AmountColumn(const MeasureView& view, const std::string& before_unit,
               const std::string& of_count);
  std::string padded(const std::string& text) const;

  ColumnScale scale_;
  std::string heading_;
  std::size_t width_ = 0;
};

}  // namespace copse::report
