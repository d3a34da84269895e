#include "base/utf8.h"

#include <algorithm>

namespace copse {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

constexpr bool is_high_surrogate(char32_t c) { return c >= 0xD800 && c <= 0xDBFF; }
constexpr bool is_low_surrogate(char32_t c) { return c >= 0xDC00 && c <= 0xDFFF; }

// One encoded unit without a look at surrogates: its value and length, length 0 when invalid.
struct Unit {
  char32_t value = kReplacement;
  std::size_t bytes = 0;
};

Unit unit_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](std::size_t i) { return i < text.size() && (byte(i) & 0xC0) == 0x80; };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if ((lead & 0xE0) == 0xC0 && continues(1)) {
    const char32_t c = (char32_t{lead} & 0x1F) << 6 | (byte(1) & 0x3F);
    if (c >= 0x80 || c == 0) return {c, 2};  // C0 80 is how modified UTF-8 spells NUL
  }
  if ((lead & 0xF0) == 0xE0 && continues(1) && continues(2)) {
    const char32_t c =
        (char32_t{lead} & 0x0F) << 12 | (char32_t{byte(1)} & 0x3F) << 6 | (byte(2) & 0x3F);
    if (c >= 0x800) return {c, 3};
  }
  if ((lead & 0xF8) == 0xF0 && continues(1) && continues(2) && continues(3)) {
    const char32_t c = (char32_t{lead} & 0x07) << 18 | (char32_t{byte(1)} & 0x3F) << 12 |
                       (char32_t{byte(2)} & 0x3F) << 6 | (byte(3) & 0x3F);
    if (c >= 0x10000 && c <= 0x10FFFF) return {c, 4};
  }
  return {};
}

}  // namespace

void append_code_point(std::string& out, char32_t c) {
  if (c > 0x10FFFF || is_high_surrogate(c) || is_low_surrogate(c)) c = kReplacement;
  const auto tail = [&](int shift) {
    out.push_back(static_cast<char>(0x80 | ((c >> shift) & 0x3F)));
  };
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out.push_back(static_cast<char>(0xC0 | (c >> 6)));
    tail(0);
  } else if (c < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | (c >> 12)));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xF0 | (c >> 18)));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return count;
}

char32_t take_code_point(std::string_view& text) {
  const Unit first = unit_at(text);
  if (first.bytes == 0) {
    // One replacement stands for a lead byte and the stray continuation bytes behind it.
    std::size_t bytes = 1;
    while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) ++bytes;
    text.remove_prefix(bytes);
    return kReplacement;
  }
  text.remove_prefix(first.bytes);
  if (is_low_surrogate(first.value)) return kReplacement;
  if (!is_high_surrogate(first.value)) return first.value;
  if (text.empty()) return kReplacement;
  const Unit second = unit_at(text);
  if (!is_low_surrogate(second.value)) return kReplacement;
  text.remove_prefix(second.bytes);
  return 0x10000 + ((first.value - 0xD800) << 10) + (second.value - 0xDC00);
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) append_code_point(out, take_code_point(text));
  return out;
}

void make_valid_utf8(std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (!plain) text = valid_utf8(text);
}

}  // namespace copse
