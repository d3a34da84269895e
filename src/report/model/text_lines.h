// Lines of a text of limited width.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/model/output.h"

namespace copse::report {

class TextLines {
 public:
  static constexpr std::size_t kLeastWidth = 60;
  // Width of lines where nothing is to be cut; bounds the line of a context that is 100,000 calls deep.
  static constexpr std::size_t kUncut = 10'000;

  TextLines(Output& out, std::size_t width) : out_(out), width_(std::max(kLeastWidth, width)) {}

  std::size_t width() const noexcept { return width_; }
  void line(std::string_view text);
  // Breaks at spaces to stay within the width. Lines after the first are indented by the length of
  // `start`.
  void wrapped(std::string_view start, const std::string& text);
  // Writes an empty line, then the heading.
  void heading(const std::string& text);
  // Writes a row of a table. A name that is too long loses its beginning.
  void row(const std::string& columns, const std::string& name);
  // Writes which columns of a table have no room, and the width of lines in which they have; nothing if there are none.
  void left_out(const std::vector<std::string>& columns, std::size_t width);

 private:
  Output& out_;
  const std::size_t width_;
};

}  // namespace copse::report
