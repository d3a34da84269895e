#include "report/text/text_table.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace copse::report {
namespace {

constexpr std::size_t kBetween = 2;  // blanks before each column but the first, and before the name

}  // namespace

TextTable::TextTable(std::vector<Heading> headings) {
  for (Heading& heading : headings) {
    const std::size_t width = std::max(characters(heading.upper), characters(heading.lower));
    columns_.push_back({std::move(heading), width});
  }
}

void TextTable::add(std::vector<std::string> cells) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    columns_[i].width = std::max(columns_[i].width, characters(cells[i]));
  }
  cells_.push_back(std::move(cells));
}

void TextTable::drop(std::size_t column) { columns_[column].state = State::kDropped; }

void TextTable::drop_empty() {
  if (cells_.empty()) return;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const bool is_empty = std::all_of(cells_.begin(), cells_.end(), [i](const auto& row) {
      return row[i].find_first_not_of(' ') == std::string::npos || row[i] == "0";
    });
    if (is_empty) drop(i);
  }
}

void TextTable::make_room(std::initializer_list<std::size_t> columns, std::size_t least,
                          std::size_t line_width) {
  most_room_ = std::max(most_room_, least);
  if (width() + least <= line_width) return;
  for (const std::size_t column : columns) {
    State& state = columns_[column].state;
    if (state == State::kShown) state = State::kHasNoRoom;
  }
}

TextTable::LeftOut TextTable::left_out() const {
  LeftOut left_out{{}, width(), most_room_};
  for (const Column& column : columns_) {
    if (column.state != State::kHasNoRoom) continue;
    left_out.width += column.width + kBetween;
    const auto& [upper, lower] = column.heading;
    const std::string words = upper.empty() || lower.empty() ? upper + lower : upper + " " + lower;
    left_out.columns.push_back(words.empty() ? "share" : words);  // shares have no heading
  }
  return left_out;
}

std::size_t TextTable::width() const {
  std::size_t width = 0;
  for (const Column& column : columns_) {
    width += column.state == State::kShown ? column.width + kBetween : 0;
  }
  return width;
}

template <typename Cell>
std::string TextTable::joined(Cell cell) const {
  std::string line;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].state != State::kShown) continue;
    const std::string& text = cell(i);
    line.append(columns_[i].width - characters(text), ' ').append(text).append(kBetween, ' ');
  }
  return line;
}

std::string TextTable::upper() const {
  std::string line =
      joined([this](std::size_t i) -> const std::string& { return columns_[i].heading.upper; });
  line.resize(line.find_last_not_of(' ') + 1);  // npos + 1 is 0
  return line;
}

std::string TextTable::lower() const {
  return joined([this](std::size_t i) -> const std::string& { return columns_[i].heading.lower; });
}

std::string TextTable::row(std::size_t index) const {
  return joined([&](std::size_t i) -> const std::string& { return cells_[index][i]; });
}

}  // namespace copse::report
