#include "trace/text_form.h"

#include <charconv>

namespace copse::trace {

std::string text_word(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (text.empty()) return "-";
  if (text == "-") return "%2d";
  std::string word;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > ' ' && byte != 0x7f && c != '%' && c != '#') {
      word += c;
    } else {
      word += '%';
      word += kDigits[byte >> 4];
      word += kDigits[byte & 15];
    }
  }
  return word;
}

std::optional<std::string> text_of_word(std::string_view word) {
  std::string text;
  if (word == "-") return text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '%') {
      text += word[i];
      continue;
    }
    unsigned byte = 0;
    const char* const digits = word.data() + i + 1;
    if (word.size() - i < 3) return std::nullopt;
    if (const auto [end, error] = std::from_chars(digits, digits + 2, byte, 16);
        error != std::errc{} || end != digits + 2) {
      return std::nullopt;
    }
    text += static_cast<char>(byte);
    i += 2;
  }
  return text;
}

}  // namespace copse::trace
