// A line of an event text: plain words in order, NAME=VALUE in any order. Each word can be read once.
//
//   values: 12  -1.5  true  false  null  #7 (an object)  #7'text' (a String)  'text', '' for a quote
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "ptql/language/value.h"

namespace copse::ptql {

class EventWords {
 public:
  // Parses a line. A # that stands alone begins a comment.
  static Result<EventWords> of(std::string_view line);

  bool empty() const { return words_.empty() && named_.empty(); }
  std::string next();                       // next plain word; "" at the end
  bool flag(std::string_view word);         // true if the word is there
  std::string text(std::string_view name);  // text as written; "" if missing
  Value value(std::string_view name);       // absent if missing or wrong: see rest()
  Value value_of(const std::string& word);
  // Returns the problem of a word that was not read or is no value; else "".
  std::string rest() const;

 private:
  std::vector<std::string> words_;
  std::size_t next_ = 0;
  std::vector<std::pair<std::string, std::string>> named_;
  std::string wrong_;
};

}  // namespace copse::ptql
