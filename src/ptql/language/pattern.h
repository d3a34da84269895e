// Regular expressions of =~. They match whole strings: 'read|write' matches read and write, but not thread.
//
//   . any character      [a-z] [^.] classes      \d \w \s \D \W \S      \. a character as it is
//   x* x+ x? x{2} x{2,} x{2,5} repetitions       x|y alternatives       (x) (?:x) groups
//   ^ $ the string's ends, which a whole match has anyway
//
// Not supported: back references, lookahead, lookbehind. Texts come from the program under test and may be megabytes:
// time is at most the product of both lengths, and nothing recurses on the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace copse::ptql {

class Pattern {
 public:
  struct Problem {
    std::size_t offset;  // in characters
    std::string what;
  };
  static std::variant<Pattern, Problem> compile(std::string_view expression);

  // Thread-safe.
  bool matches(std::string_view text) const;
  // Returns at most `most` matching texts, short ones first. One character stands for each set of characters.
  std::vector<std::string> samples(std::size_t most) const;

 private:
  friend class PatternCompiler;

  struct Range {
    char32_t first;
    char32_t last;
  };
  struct Step {
    enum class Kind : std::uint8_t { kCharacters, kSplit, kJump, kAtBegin, kAtEnd, kDone };
    Kind kind;
    bool negated = false;         // kCharacters
    std::vector<Range> ranges{};  // kCharacters
    std::uint32_t next = 0;       // kSplit, kJump
    std::uint32_t other = 0;      // kSplit
  };
  struct Places;

  static bool takes(const Step& step, char32_t c);
  static char32_t one_of(const Step& step);
  void add(Places& places, std::uint32_t step, bool at_begin, bool at_end) const;

  std::vector<Step> steps_;
};

}  // namespace copse::ptql
