// Columns of short texts in front of names: right-aligned, of minimal width, with headings of up to
// two lines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace copse::report {

class TextTable {
 public:
  // `lower` is the line directly above the column.
  struct Heading {
    std::string upper, lower;
  };
  explicit TextTable(std::vector<Heading> headings);

  // REQUIRES: one cell for each column.
  void add(std::vector<std::string> cells);
  // Leaves a column out.
  void drop(std::size_t column);
  // Leaves out columns in which no row says anything: all cells are empty or "0".
  void drop_empty();

  std::size_t rows() const noexcept { return cells_.size(); }
  std::size_t width() const;  // of upper(), lower() and row()
  std::string upper() const;  // "" when no heading has an upper line
  std::string lower() const;
  std::string row(std::size_t index) const;

 private:
  struct Column {
    Heading heading;
    std::size_t width;
    bool is_shown = true;
  };
  template <typename Cell>
  std::string joined(Cell cell) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> cells_;
};

}  // namespace copse::report
