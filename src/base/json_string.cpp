#include "base/json_string.h"

namespace copse {
namespace {

void append_escape(std::string& out, unsigned char c) {
  constexpr char kHex[] = "0123456789abcdef";
  out += "\\u00";
  out += kHex[c >> 4];
  out += kHex[c & 15];
}

}  // namespace

void append_json_string(std::string& out, std::string_view text, bool in_script) {
  out += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    // C2 80 to C2 9F: the second set of control characters.
    const bool second_set =
        c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (second_set) {
      append_escape(out, static_cast<unsigned char>(text[++i]));
    } else if (c < 0x20 || c == 0x7F || (c == '<' && in_script)) {
      append_escape(out, c);
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += text[i];
    }
  }
  out += '"';
}

}  // namespace copse
