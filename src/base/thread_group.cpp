#include "base/thread_group.h"

namespace copse {

std::string thread_group(std::string_view thread_name) {
  std::string text;
  bool in_number = false;
  for (const char c : thread_name) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit) text += c;
    if (is_digit && !in_number) text += '*';
    in_number = is_digit;
  }
  return text;
}

}  // namespace copse
