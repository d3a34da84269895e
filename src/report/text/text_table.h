// Columns of short texts in front of names: right-aligned, of minimal width, with headings of up to
// two lines.
#pragma once

#include <cstddef>
#include <initializer_list>
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
  // Leaves columns out if names behind the table would have less than `least` of a line's characters.
  void make_room(std::initializer_list<std::size_t> columns, std::size_t least,
                 std::size_t line_width);
  // Columns that make_room() left out, the width of the table with them, and the characters beside it with which
  // make_room() would have left none out.
  struct LeftOut {
    std::vector<std::string> columns;
    std::size_t width = 0, room = 0;
  };
  LeftOut left_out() const;

  std::size_t rows() const noexcept { return cells_.size(); }
  std::size_t width() const;  // of upper(), lower() and row()
  std::string upper() const;  // "" when no heading has an upper line
  std::string lower() const;
  std::string row(std::size_t index) const;

 private:
  enum class State { kShown, kDropped, kHasNoRoom };
  struct Column {
    Heading heading;
    std::size_t width;
    State state = State::kShown;
  };
  template <typename Cell>
  std::string joined(Cell cell) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> cells_;
  std::size_t most_room_ = 0;  // that make_room() was asked for
};

}  // namespace copse::report
