// A line of a text of events: plain words in their order, NAME=VALUE in any, and what is asked for
// once is taken.
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
  // Without what follows a # that stands alone.
  static Result<EventWords> of(std::string_view line);

  bool empty() const { return words_.empty() && named_.empty(); }
  std::string next();                       // a plain word; "" when there is none
  bool flag(std::string_view word);         // whether the word is there
  std::string text(std::string_view name);  // as it is written; "" when not there
  Value value(std::string_view name);       // absent when not there, or wrong: see rest()
  Value value_of(const std::string& word);
  // What is wrong: a word that nobody asked for, or that is no value. Else "".
  std::string rest() const;

 private:
  std::vector<std::string> words_;
  std::size_t next_ = 0;
  std::vector<std::pair<std::string, std::string>> named_;
  std::string wrong_;
};

}  // namespace copse::ptql
