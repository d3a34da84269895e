// Lines of a text for people, no wider than they may be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "report/output.h"

namespace copse::report {

class TextLines {
 public:
  static constexpr std::size_t kLeastWidth = 60;

  TextLines(Output& out, std::size_t width) : out_(out), width_(std::max(kLeastWidth, width)) {}

  std::size_t width() const noexcept { return width_; }
  void line(std::string_view text);
  // Breaks at spaces so that a sentence stays within the width; lines after the first are indented
  // as far as `start` is long.
  void wrapped(std::string_view start, const std::string& text);
  // After an empty line.
  void heading(const std::string& text);
  // A row of a table; what is too long of the name loses its beginning.
  void row(const std::string& columns, const std::string& name);

 private:
  Output& out_;
  const std::size_t width_;
};

}  // namespace copse::report
