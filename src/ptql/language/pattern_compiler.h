// Turns a regular expression into the steps of a Pattern.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ptql/language/pattern.h"

namespace copse::ptql {

class PatternCompiler {
 public:
  explicit PatternCompiler(std::string_view expression);
  std::variant<Pattern, Pattern::Problem> compile();

 private:
  using Step = Pattern::Step;
  using Steps = std::vector<Step>;

  // Each parses one form from at_ on. On a syntax error the result is empty and failed() is true. Jumps are relative to
  // the first returned step.
  Steps alternatives(unsigned depth);
  Steps sequence(unsigned depth);
  Steps repeated(unsigned depth);
  Steps single(unsigned depth);
  Steps group(unsigned depth);
  Steps bracket();
  Steps escape();
  bool escaped_class(char32_t letter, Step& step) const;
  bool bounds(std::uint32_t& least, std::uint32_t& most);
  bool number(std::uint32_t& value);
  char32_t character_of_bracket();

  bool more() const { return !problem_ && at_ < text_.size(); }
  bool next_is(char32_t c) const { return more() && text_[at_] == c; }
  bool take(char32_t c);
  bool failed() const { return problem_; }
  Steps fail(std::size_t offset, std::string what);
  // Appends `copy` to `steps` and adjusts its jumps.
  void append(Steps& steps, const Steps& copy);

  std::vector<char32_t> text_;
  std::size_t at_ = 0;
  bool problem_ = false;
  Pattern::Problem failure_{};
};

}  // namespace copse::ptql
