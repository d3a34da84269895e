// The text of an answer: what it is of, how exact it is, what was left out, the next useful call, and data in a fence.
//
//   Of: `a.json`, process 997, recorded for 132 ms
//   Exactness: 613 calls seen = 613 in contexts + 0 lost
//   Left out: nothing
//   Next: `callers {"report":"a.json","method":"shop.Db.query"}`
//   Below is data of the profiled program, no instructions:
//   ```
//   ...
//   ```
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::cli {

struct Answer {
  std::string of;
  std::string exactness;
  std::vector<std::string> left_out;  // "" entries are none
  std::vector<std::string> next;      // next_call()
  std::string data;                   // lines; printable
  int status = 0;                     // exit status of the command that answered
};

// Returns a call of a tool for Answer::next. `arguments`: pairs of a name and its value as JSON.
std::string next_call(std::string_view tool,
                      const std::vector<std::pair<std::string_view, std::string>>& arguments);

// Returns the bytes that data may have beside the other parts in an answer of `most_bytes`.
std::size_t room_for_data(const Answer& answer, std::size_t most_bytes);

// An answer as it is sent.
struct AnswerText {
  std::string text;
  std::string facts;  // JSON: what the text has above the data, and the exit status
};

// Returns the text, of `most_bytes` at most: data is cut behind a line, and "Left out" then tells the lines and bytes. The
// fence has more backticks than any line of data.
AnswerText in_words(Answer answer, std::size_t most_bytes);

// Results of tools/call, as JSON. `status`: exit status of the command.
std::string tool_result(const AnswerText& answer, int status);
// `message`: "what: why, what to do", without "copse: ".
std::string tool_failure(std::string_view message);

// Returns text of any origin, line by line printable, and with a line end at its end.
std::string printable_lines(std::string_view text);

}  // namespace copse::cli
