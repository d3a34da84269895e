#include "ptql/language/pattern.h"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

#include "base/utf8.h"
#include "ptql/language/pattern_compiler.h"

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

bool Pattern::takes(const Step& step, char32_t c) {
  const bool in = std::any_of(step.ranges.begin(), step.ranges.end(), [c](const Range& range) {
    return range.first <= c && c <= range.last;
  });
  return in != step.negated;
}

// Returns a character that the step takes, preferably one that names can contain.
char32_t Pattern::one_of(const Step& step) {
  for (const char32_t c : {U'x', U'A', U'0', U'$'}) {
    if (takes(step, c)) return c;
  }
  if (!step.negated) return step.ranges.front().first;
  char32_t c = U' ';
  while (!takes(step, c) && c < U'\u2000') ++c;
  return c;
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
      if (takes(step, c)) add(then, at + 1, false, text.empty());
    }
    std::swap(now, then);
  }
  return text.empty() && std::any_of(now.list.begin(), now.list.end(), [this](std::uint32_t at) {
           return steps_[at].kind == Step::Kind::kDone;
         });
}

std::vector<std::string> Pattern::samples(std::size_t most) const {
  constexpr std::size_t kMostTried = 20'000;
  struct Way {
    std::uint32_t step;
    std::string text;
  };
  std::vector<std::string> found;
  std::set<std::pair<std::uint32_t, std::string>> tried;
  std::deque<Way> ways{{0, ""}};
  while (!ways.empty() && found.size() < most && tried.size() < kMostTried) {
    Way way = std::move(ways.front());
    ways.pop_front();
    if (!tried.emplace(way.step, way.text).second) continue;
    const Step& step = steps_[way.step];
    switch (step.kind) {
      case Step::Kind::kCharacters:
        append_code_point(way.text, one_of(step));
        ways.push_back({way.step + 1, std::move(way.text)});
        break;
      case Step::Kind::kJump:
        ways.push_front({step.next, std::move(way.text)});
        break;
      case Step::Kind::kSplit:
        ways.push_front({step.other, way.text});
        ways.push_front({step.next, std::move(way.text)});
        break;
      case Step::Kind::kAtBegin:
      case Step::Kind::kAtEnd:  // what follows it may not fit, so matches() has the last word
        ways.push_front({way.step + 1, std::move(way.text)});
        break;
      case Step::Kind::kDone:
        if (std::find(found.begin(), found.end(), way.text) == found.end() && matches(way.text)) {
          found.push_back(std::move(way.text));
        }
        break;
    }
  }
  return found;
}

std::variant<Pattern, Pattern::Problem> Pattern::compile(std::string_view expression) {
  return PatternCompiler(expression).compile();
}

}  // namespace copse::ptql
