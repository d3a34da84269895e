// Texts in a row, as messages and lists have them.
#pragma once

#include <string>
#include <string_view>

namespace copse {

// Returns the texts one behind the other, with `between` between each two; "" if there are none.
template <typename Texts>
std::string joined_text(const Texts& texts, std::string_view between = ", ") {
  std::string all;
  bool is_first = true;
  for (const auto& text : texts) {
    if (!is_first) all += between;
    is_first = false;
    all += text;
  }
  return all;
}

}  // namespace copse
