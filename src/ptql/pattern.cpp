#include "ptql/pattern.h"

#include <algorithm>

#include "base/utf8.h"
#include "ptql/pattern_compiler.h"

namespace copse::ptql {

// Steps that can come next, each once; `pending` is the stack of add().
struct Pattern::Places {
  explicit Places(std::size_t steps) : reached(steps, 0) {}
  void clear() {
    for (const std::uint32_t step : list) reached[step] = 0;
    for (const std::uint32_t step : passed) reached[step] = 0;
    list.clear();
    passed.clear();
  }

  std::vector<char> reached;
  std::vector<std::uint32_t> list;    // that take a character, or are done
  std::vector<std::uint32_t> passed;  // that take none
  std::vector<std::uint32_t> pending;
};

void Pattern::add(Places& places, std::uint32_t first, bool at_begin, bool at_end) const {
  places.pending.push_back(first);
  while (!places.pending.empty()) {
    const std::uint32_t at = places.pending.back();
    places.pending.pop_back();
    if (places.reached[at]) continue;
    places.reached[at] = 1;
    const Step& step = steps_[at];
    switch (step.kind) {
      case Step::Kind::kCharacters:
      case Step::Kind::kDone:
        places.list.push_back(at);
        continue;
      case Step::Kind::kJump:
        places.pending.push_back(step.next);
        break;
      case Step::Kind::kSplit:
        places.pending.push_back(step.next);
        places.pending.push_back(step.other);
        break;
      case Step::Kind::kAtBegin:
        if (at_begin) places.pending.push_back(at + 1);
        break;
      case Step::Kind::kAtEnd:
        if (at_end) places.pending.push_back(at + 1);
        break;
    }
    places.passed.push_back(at);
  }
}

bool Pattern::matches(std::string_view text) const {
  Places now(steps_.size());
  Places then(steps_.size());
  add(now, 0, true, text.empty());
  while (!text.empty() && !now.list.empty()) {
    const char32_t c = take_code_point(text);
    then.clear();
    for (const std::uint32_t at : now.list) {
      const Step& step = steps_[at];
      if (step.kind != Step::Kind::kCharacters) continue;
      const bool in = std::any_of(step.ranges.begin(), step.ranges.end(), [c](const Range& range) {
        return range.first <= c && c <= range.last;
      });
      if (in != step.negated) add(then, at + 1, false, text.empty());
    }
    std::swap(now, then);
  }
  return text.empty() && std::any_of(now.list.begin(), now.list.end(), [this](std::uint32_t at) {
           return steps_[at].kind == Step::Kind::kDone;
         });
}

std::variant<Pattern, Pattern::Problem> Pattern::compile(std::string_view expression) {
  return PatternCompiler(expression).compile();
}

}  // namespace copse::ptql
