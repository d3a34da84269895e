// Turns an error of the JSON parser into one line for a user.
#pragma once

#include <string>
#include <string_view>

namespace copse::report {

// `what`: "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while
// ...".
inline std::string json_trouble(std::string_view what) {
  for (const std::string_view preamble : {"] ", "parse error at "}) {
    const std::size_t at = what.find(preamble);
    if (at != std::string_view::npos) what.remove_prefix(at + preamble.size());
  }
  constexpr std::size_t kLongest = 200;  // the parser quotes the whole last token
  std::string why(what.substr(0, kLongest));
  if (what.size() > kLongest) why += "...";
  for (char& c : why) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return why;
}

}  // namespace copse::report
