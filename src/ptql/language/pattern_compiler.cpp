#include "ptql/language/pattern_compiler.h"

#include "base/utf8.h"

namespace copse::ptql {
namespace {

constexpr unsigned kDeepest = 200;  // groups in groups
constexpr std::uint32_t kMostRepeats = 1000;
constexpr std::size_t kMostSteps = 20'000;  // repetitions of repetitions multiply
constexpr std::uint32_t kNoBound = 0xFFFF'FFFF;

}  // namespace

PatternCompiler::PatternCompiler(std::string_view expression) {
  while (!expression.empty()) text_.push_back(take_code_point(expression));
}

std::variant<Pattern, Pattern::Problem> PatternCompiler::compile() {
  Pattern pattern;
  pattern.steps_ = alternatives(0);
  if (more()) fail(at_, "this ) closes no group");
  if (failed()) return failure_;
  pattern.steps_.push_back({Step::Kind::kDone});
  return pattern;
}

PatternCompiler::Steps PatternCompiler::fail(std::size_t offset, std::string what) {
  if (!problem_) failure_ = {offset, std::move(what)};
  problem_ = true;
  return {};
}

bool PatternCompiler::take(char32_t c) {
  if (!next_is(c)) return false;
  ++at_;
  return true;
}

void PatternCompiler::append(Steps& steps, const Steps& copy) {
  const auto base = static_cast<std::uint32_t>(steps.size());
  if (steps.size() + copy.size() > kMostSteps) {
    fail(at_, "the expression is too large");
    return;
  }
  for (Step step : copy) {
    step.next += base;
    step.other += base;
    steps.push_back(std::move(step));
  }
}

PatternCompiler::Steps PatternCompiler::alternatives(unsigned depth) {
  if (depth > kDeepest) return fail(at_, "groups are nested too deeply");
  std::vector<Steps> branches;
  do {
    branches.push_back(sequence(depth));
  } while (take('|'));
  std::size_t end = 0;
  for (const Steps& branch : branches) end += branch.size() + 2;
  end -= 2;  // the last one needs neither a split before it nor a jump behind it
  Steps all;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    const bool last = i + 1 == branches.size();
    const auto next = static_cast<std::uint32_t>(all.size());
    const auto other = next + static_cast<std::uint32_t>(branches[i].size()) + 2;
    if (!last) all.push_back({Step::Kind::kSplit, false, {}, next + 1, other});
    append(all, branches[i]);
    if (!last) all.push_back({Step::Kind::kJump, false, {}, static_cast<std::uint32_t>(end), 0});
    if (failed()) return {};
  }
  return all;
}

PatternCompiler::Steps PatternCompiler::sequence(unsigned depth) {
  Steps steps;
  while (more() && !next_is('|') && !next_is(')')) append(steps, repeated(depth));
  return failed() ? Steps{} : steps;
}

PatternCompiler::Steps PatternCompiler::repeated(unsigned depth) {
  Steps one = single(depth);
  std::uint32_t least = 0;
  std::uint32_t most = kNoBound;
  if (take('+')) {
    least = 1;
  } else if (take('?')) {
    most = 1;
  } else if (next_is('{')) {
    if (!bounds(least, most)) return {};
  } else if (!take('*')) {
    return one;
  }
  take('?');  // as few as possible: the same when the whole string has to match
  if (next_is('*') || next_is('+') || next_is('?') || next_is('{')) {
    return fail(at_, "a repetition is repeated; put it between ( and )");
  }
  Steps all;
  for (std::uint32_t i = 0; i < least && !failed(); ++i) append(all, one);
  const auto size = static_cast<std::uint32_t>(one.size());
  if (most == kNoBound) {
    Steps loop{{Step::Kind::kSplit, false, {}, 1, size + 2}};
    append(loop, one);
    loop.push_back({Step::Kind::kJump, false, {}, 0, 0});
    append(all, loop);
  }
  for (std::uint32_t i = least; i < most && most != kNoBound && !failed(); ++i) {
    Steps option{{Step::Kind::kSplit, false, {}, 1, size + 1}};
    append(option, one);
    append(all, option);
  }
  return failed() ? Steps{} : all;
}

bool PatternCompiler::number(std::uint32_t& value) {
  const std::size_t begin = at_;
  value = 0;
  while (more() && text_[at_] >= '0' && text_[at_] <= '9' && value <= kMostRepeats) {
    value = value * 10 + (text_[at_++] - '0');
  }
  return at_ > begin && value <= kMostRepeats;
}

bool PatternCompiler::bounds(std::uint32_t& least, std::uint32_t& most) {
  const std::size_t begin = at_++;
  bool right = number(least);
  most = least;
  if (right && take(',')) {
    most = kNoBound;
    if (!next_is('}')) right = number(most) && least <= most;
  }
  if (right && take('}')) return true;
  fail(begin, "a repetition is {2}, {2,} or {2,5}, with at most 1000; a brace itself is \\{");
  return false;
}

PatternCompiler::Steps PatternCompiler::single(unsigned depth) {
  const char32_t c = text_[at_];
  if (c == '(') return group(depth);
  if (c == '[') return bracket();
  if (c == '\\') return escape();
  if (c == '*' || c == '+' || c == '?' || c == '{') {
    return fail(at_,
                "nothing stands before it that could be repeated; the character itself needs "
                "a \\ before it");
  }
  ++at_;
  if (c == '^') return {{Step::Kind::kAtBegin}};
  if (c == '$') return {{Step::Kind::kAtEnd}};
  if (c == '.') return {{Step::Kind::kCharacters, true, {}}};
  return {{Step::Kind::kCharacters, false, {{c, c}}}};
}

PatternCompiler::Steps PatternCompiler::group(unsigned depth) {
  const std::size_t begin = at_++;
  if (take('?') && !take(':')) return fail(begin, "of groups that begin with (? there is only (?:");
  Steps steps = alternatives(depth + 1);
  if (!failed() && !take(')')) return fail(begin, "this ( is not closed");
  return steps;
}

char32_t PatternCompiler::character_of_bracket() {
  if (take('\\') && !more()) fail(at_ - 1, "a \\ stands at the end");
  return more() ? text_[at_++] : 0;
}

PatternCompiler::Steps PatternCompiler::bracket() {
  const std::size_t begin = at_++;
  Step step{Step::Kind::kCharacters};
  step.negated = take('^');
  bool first = true;
  while (more() && (first || !next_is(']'))) {
    first = false;
    if (next_is('\\') && at_ + 1 < text_.size()) {
      Step inner{Step::Kind::kCharacters};
      if (escaped_class(text_[at_ + 1], inner)) {
        if (inner.negated) return fail(at_, "\\D, \\W and \\S do not stand in [ ]");
        step.ranges.insert(step.ranges.end(), inner.ranges.begin(), inner.ranges.end());
        at_ += 2;
        continue;
      }
    }
    const std::size_t place = at_;
    const char32_t low = character_of_bracket();
    char32_t high = low;
    if (next_is('-') && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
      ++at_;
      high = character_of_bracket();
    }
    if (failed()) return {};
    if (high < low) return fail(place, "the range ends before it begins");
    step.ranges.push_back({low, high});
  }
  if (!take(']')) return fail(begin, "this [ is not closed");
  return {std::move(step)};
}

bool PatternCompiler::escaped_class(char32_t letter, Step& step) const {
  switch (letter) {
    case 'd':
    case 'D':
      step.ranges = {{'0', '9'}};
      break;
    case 'w':
    case 'W':
      step.ranges = {{'a', 'z'}, {'A', 'Z'}, {'0', '9'}, {'_', '_'}};
      break;
    case 's':
    case 'S':
      step.ranges = {{' ', ' '}, {'\t', '\r'}};
      break;
    default:
      return false;
  }
  step.negated = letter == 'D' || letter == 'W' || letter == 'S';
  return true;
}

PatternCompiler::Steps PatternCompiler::escape() {
  const std::size_t begin = at_++;
  if (!more()) return fail(begin, "a \\ stands at the end");
  const char32_t c = text_[at_++];
  Step step{Step::Kind::kCharacters};
  if (escaped_class(c, step)) return {std::move(step)};
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  if (letter) return fail(begin, "of \\ and a letter or digit there are \\d \\w \\s \\D \\W \\S");
  return {{Step::Kind::kCharacters, false, {{c, c}}}};
}

}  // namespace copse::ptql
