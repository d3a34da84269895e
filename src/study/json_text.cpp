#include "study/json_text.h"

#include <charconv>
#include <cmath>

#include "base/json_string.h"

namespace copse::study {

JsonText& JsonText::begin(std::string_view key, char bracket) {
  if (depth_ > 0) start_item(key);
  text_ += bracket;
  first_ = true;
  ++depth_;
  return *this;
}

JsonText& JsonText::end(char bracket) {
  text_ += bracket;
  first_ = false;
  if (--depth_ == 0) text_ += '\n';
  return *this;
}

JsonText& JsonText::null_field(std::string_view key) {
  start_item(key);
  text_ += "null";
  return *this;
}

void JsonText::start_item(std::string_view key) {
  if (!first_) text_ += ',';
  first_ = false;
  if (depth_ == 1) text_ += '\n';
  if (key.empty()) return;
  put_string(key);
  text_ += ':';
}

void JsonText::put_string(std::string_view text) { append_json_string(text_, text); }

void JsonText::put_number(double number) {
  if (!std::isfinite(number)) {
    text_ += "null";
    return;
  }
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof(digits), number);
  text_.append(digits, end);
}

}  // namespace copse::study
