// A column of amounts in a text format: right-aligned, in one unit, under a heading that says of
// what and in what.
#pragma once

#include <cstdint>
#include <string>

#include "report/model/measure_view.h"
#include "report/text/quantity.h"

namespace copse::report {

// What stands above an amount, printable and not too long.
struct AmountHeading {
  std::string exclusive;  // "exceptions", "cpu ms", "allocated MiB"
  std::string in_unit;    // below a word that says what else it is: "exceptions", "ms"
};
AmountHeading heading_of(const MeasureView& view);

class AmountColumn {
 public:
  // "exceptions", "cpu ms", "allocated MiB".
  static AmountColumn exclusive(const MeasureView& view);
  // The same, no wider than an amount of `most` needs.
  static AmountColumn exclusive(const MeasureView& view, std::uint64_t most);
  // "inclusive exceptions", "inclusive ms".
  static AmountColumn inclusive(const MeasureView& view);

  // All of one width.
  std::string heading() const { return padded(heading_); }
  std::string text(std::uint64_t amount) const { return padded(scale_.text(amount)); }
  std::string blank() const { return padded(""); }

 private:
  AmountColumn(const MeasureView& view, const std::string& before_unit,
               const std::string& of_count);
  void fit(std::uint64_t most, std::size_t least_width);
  std::string padded(const std::string& text) const;

  ColumnScale scale_;
  std::string heading_;
  std::size_t width_ = 0;
};

}  // namespace copse::report
