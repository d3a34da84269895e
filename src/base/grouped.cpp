#include "base/grouped.h"

namespace copse {

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  std::string text = grouped(number) + ' ';
  if (number == 1 || many.empty()) {
    text += one;
    return number == 1 ? text : text + 's';
  }
  text += many;
  return text;
}

}  // namespace copse
