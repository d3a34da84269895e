// JSON as it is written down: keys in the order given, one key of the outermost object per line.
// Text must be valid UTF-8. Numbers that are not finite become null.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace copse::study {

class JsonText {
 public:
  JsonText& begin(std::string_view key, char bracket);  // '{' or '['; "" inside a list
  JsonText& end(char bracket);

  template <typename T>
  JsonText& field(std::string_view key, const T& value) {
    start_item(key);
    if constexpr (std::is_same_v<T, bool>) {
      text_ += value ? "true" : "false";
    } else if constexpr (std::is_floating_point_v<T>) {
      put_number(value);
    } else if constexpr (std::is_integral_v<T>) {
      text_ += std::to_string(value);
    } else {
      put_string(value);
    }
    return *this;
  }
  JsonText& null_field(std::string_view key);

  const std::string& text() const noexcept { return text_; }

 private:
  void start_item(std::string_view key);
  void put_string(std::string_view text);
  void put_number(double number);

  std::string text_;
  bool first_ = true;  // no comma before the next item
  int depth_ = 0;
};

}  // namespace copse::study
