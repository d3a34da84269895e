// Formats numbers for people, and aligns columns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace copse::study {

std::string fixed(double number, int digits);  // 0.50
std::string significant(double number);        // 1.2e-05: two digits
std::string percent(double share);             // 100 %, 99.98 %, never 100 % for less
std::string bytes_text(double bytes);          // 12, 9,876, 12.3 k, 4.56 M; k is 1000

// Puts two spaces between columns. The first column is flush left, and the last if `last_left`; the others are flush
// right. Lines have no spaces at their ends.
class TextTable {
 public:
  using Row = std::vector<std::string>;
  explicit TextTable(Row header, bool last_left = false)
      : last_left_(last_left), rows_{std::move(header)} {}

  void add(Row row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  const bool last_left_;
  std::vector<Row> rows_;
};

}  // namespace copse::study
