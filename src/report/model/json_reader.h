// Reads a report from JSON of any size and origin; the reverse of json_writer.h.
//
// Skips unknown keys, so files of later versions with more columns still read. Refuses known keys
// of the wrong type, reports that break check_invariants(), and comparisons.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "report/model/report_model.h"

namespace copse::report {

// The message has the problem and its byte offset: "FILE: near byte 1234: nodes.calls: ...".
Result<ReportModel> read_json_file(const std::string& path);
// Reads from memory; `name` is the file name in messages.
Result<ReportModel> read_json(std::string_view text, const std::string& name);

// Turns an error of the JSON parser into one line for a user.

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
