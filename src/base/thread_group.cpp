#include "base/thread_group.h"

#include <algorithm>
#include <cctype>

namespace copse {
namespace {

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

// Length of the UUID at the beginning; 0 if there is none.
std::size_t uuid_length(std::string_view text) {
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  const bool is_one = text.size() >= kForm.size() &&
                      std::equal(kForm.begin(), kForm.end(), text.begin(), [](char form, char c) {
                        return form == '-' ? c == '-' : is_hex_digit(c);
                      });
  return is_one ? kForm.size() : 0;
}

// Length of the random id in hexadecimal digits at the beginning; 0 if there is none. Words do not have a letter
// behind a digit.
std::size_t id_length(std::string_view text) {
  constexpr std::size_t kLeast = 8;
  const auto end = std::ranges::find_if_not(text, is_hex_digit);
  const auto turn = std::adjacent_find(text.begin(), end, [](char a, char b) {
    return is_decimal_digit(a) && !is_decimal_digit(b);
  });
  const auto length = static_cast<std::size_t>(end - text.begin());
  return length >= kLeast && turn != end ? length : 0;
}

}  // namespace

std::string thread_group(std::string_view thread_name) {
  std::string text;
  bool may_begin = true;  // an id, which has no hexadecimal digit in front of it
  while (!thread_name.empty()) {
    std::size_t length = 0;
    if (may_begin) length = std::max(uuid_length(thread_name), id_length(thread_name));
    if (length == 0) {
      length = static_cast<std::size_t>(std::ranges::find_if_not(thread_name, is_decimal_digit) -
                                        thread_name.begin());
    }
    text += length == 0 ? thread_name[0] : '*';
    length = std::max<std::size_t>(length, 1);
    may_begin = !is_hex_digit(thread_name[length - 1]);
    thread_name.remove_prefix(length);
  }
  return text;
}

}  // namespace copse
