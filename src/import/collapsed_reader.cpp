#include "import/samples_reader.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/utf8.h"

namespace copse::join {
namespace {

constexpr std::size_t kLongestLine = std::size_t{64} << 20;

constexpr std::string_view kBlanks = " \t\r";

struct Line {
  std::string_view stack;  // "" for a sample without a stack
  std::uint64_t count = 0;
};

std::string_view without_blanks_behind(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);  // npos + 1 is the start
}

std::string_view without_blanks_before(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

std::size_t digits_of(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789"), text.size());
}

// Splits a text that begins with a decimal number; sign, whole and fraction are "" otherwise.
struct Number {
  std::string_view sign, whole, fraction, rest;  // "-", "12", ".50", "e3"
};
Number number_in(std::string_view text) {
  Number number;
  const std::string_view all = text;
  number.sign = text.substr(0, text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  text.remove_prefix(number.sign.size());
  number.whole = text.substr(0, digits_of(text));
  text.remove_prefix(number.whole.size());
  if (text.starts_with('.')) number.fraction = text.substr(0, 1 + digits_of(text.substr(1)));
  number.rest = text.substr(number.fraction.size());
  if (number.whole.empty() && number.fraction.size() < 2) return {"", "", "", all};
  return number;
}

// Returns true if the rest after a number is an exponent or empty.
bool ends_number(std::string_view rest) {
  if (rest.empty()) return true;
  if (rest[0] != 'e' && rest[0] != 'E') return false;
  rest.remove_prefix(1);
  if (rest.starts_with('-') || rest.starts_with('+')) rest.remove_prefix(1);
  return !rest.empty() && digits_of(rest) == rest.size();
}

bool is_number(std::string_view text) {
  const Number number = number_in(text);
  return number.whole.size() + number.fraction.size() != 0 && ends_number(number.rest);
}

// Returns the reason why the text is not a count; "" for a count.
std::string_view parse_count(std::string_view text, std::uint64_t& count) {
  const Number number = number_in(text);
  if (!is_number(text) || number.sign == "+") return "does not end in a count";
  if (number.sign == "-") return "its count is below 0: it is of the difference of two profiles";
  const bool is_whole = number.fraction.find_first_not_of(".0") == std::string_view::npos;
  if (!is_whole || !number.rest.empty() || number.whole.empty()) {
    return "its count is no whole number: multiply all counts, so that they are";
  }
  const char* const end = number.whole.data() + number.whole.size();
  const auto [stop, error] = std::from_chars(number.whole.data(), end, count);
  return error == std::errc{} ? "" : "its count does not fit 64 bits";
}

// Returns the reason why the text is not a line; "" for a valid one. REQUIRES: the text does not
// end in a blank.
std::string_view parse_line(std::string_view text, Line& line) {
  const std::size_t blank = text.find_last_of(kBlanks);
  if (blank == std::string_view::npos) return "is no stack with a count behind it";
  if (const std::string_view why = parse_count(text.substr(blank + 1), line.count); !why.empty()) {
    return why;
  }
  const std::string_view stack = without_blanks_behind(text.substr(0, blank));
  // A blank and a number at the end of a name are spelled \u0020 and the number.
  const std::size_t last = stack.find_last_of(kBlanks);
  if (last != std::string_view::npos && is_number(stack.substr(last + 1))) {
    return "ends in two counts, as the difference of two profiles does (difffolded.pl): give one "
           "of the "
           "two profiles";
  }
  line.stack = without_blanks_before(stack);
  return "";
}

// Matches "#" alone or before a blank, which no name begins with.
bool is_comment(std::string_view line) {
  return line.starts_with('#') && (line.size() == 1 || kBlanks.find(line[1]) != kBlanks.npos);
}

// Undoes the escapes of Copse, those of Java source: \u003b.
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::uint32_t code = 0;
    const char* const digits = text.data() + at + 2;
    if (text.substr(at, 2) == "\\u" && text.size() - at >= 6 &&
        std::from_chars(digits, digits + 4, code, 16).ptr == digits + 4) {
      append_code_point(plain, code);
      at += 5;
    } else {
      plain += text[at];
    }
  }
  return plain;
}

// Parsed frames by text, since the same texts recur.
class Frames {
 public:
  struct Known {
    FrameKind kind;
    FrameId id;  // of kTaken and kThread
  };

  explicit Frames(SampledStacks& stacks) : stacks_(stacks) {}

  Known of(std::string_view text) {
    if (const auto found = known_.find(text); found != known_.end()) return found->second;
    const bool is_plain = text.find('\\') == std::string_view::npos;
    if (without_blanks_behind(text).empty()) text = "";
    TextFrame frame = frame_of_text(is_plain ? text : unescaped(text), stacks_.reading());
    Known known{frame.kind, 0};
    if (frame.kind == FrameKind::kTaken || frame.kind == FrameKind::kThread) {
      known.id = stacks_.frame(std::move(frame.frame));
    }
    known_.emplace(text, known);
    return known;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>()(text);
    }
  };

  SampledStacks& stacks_;
  std::unordered_map<std::string, Known, Hash, std::equal_to<>> known_;
};

// The lines of a file, one after the other. Most begin as the line before them does.
class Stacks {
 public:
  explicit Stacks(SampledStacks& stacks) : frames_(stacks), stacks_(stacks) {}

  Status add(const Line& line) {
    if (line.stack.empty()) return stacks_.add({}, SampledStacks::kCut, 0, {.amount = line.count});
    open_up_to(common_frames(line.stack));
    std::string_view rest = line.stack.substr(begin_);
    for (bool is_last = false; !is_last;) {
      const std::size_t end = rest.find(';');
      is_last = end == std::string_view::npos;
      add_frame(frames_.of(rest.substr(0, end)));
      rest.remove_prefix(is_last ? rest.size() : end + 1);
      if (!is_last) open_.push_back({line.stack.size() - rest.size(), stack_.size()});
    }
    last_ = line.stack;
    return stacks_.add(stack_, root_, 0, {.amount = line.count});
  }

 private:
  // A frame of the line at hand that is not its last.
  struct Open {
    std::size_t end;     // in the line, behind the ';'
    std::size_t frames;  // of the stack, with it
  };

  // Returns the number of outer frames shared with the line before.
  std::size_t common_frames(std::string_view stack) const {
    const std::size_t most = std::min(stack.size(), last_.size());
    const auto common = static_cast<std::size_t>(
        std::mismatch(stack.begin(), stack.begin() + static_cast<std::ptrdiff_t>(most),
                      last_.begin())
            .first -
        stack.begin());
    const auto behind = std::partition_point(
        open_.begin(), open_.end(), [&](const Open& frame) { return frame.end <= common; });
    return static_cast<std::size_t>(behind - open_.begin());
  }
  void open_up_to(std::size_t count) {
    open_.resize(count);
    begin_ = count == 0 ? 0 : open_.back().end;
    stack_.resize(count == 0 ? 0 : open_.back().frames);
    if (count == 0) root_ = SampledStacks::kWhole;
  }
  void add_frame(const Frames::Known& frame) {
    if (stack_.empty()) begins_with_thread_ = frame.kind == FrameKind::kThread;
    if (frame.kind == FrameKind::kTaken) stack_.push_back(frame.id);
    if (frame.kind == FrameKind::kThread && stack_.empty()) stack_.push_back(frame.id);
    // Frames above the gap may belong to any caller: keeps only the thread.
    if (frame.kind == FrameKind::kMissing) {
      stack_.resize(begins_with_thread_ && !stack_.empty() ? 1 : 0);
      root_ = SampledStacks::kCut;
      open_.clear();
    }
  }

  Frames frames_;
  SampledStacks& stacks_;
  std::string last_;
  std::vector<Open> open_;
  std::size_t begin_ = 0;
  std::vector<FrameId> stack_;
  bool begins_with_thread_ = false;  // unless the stack is empty
  std::uint32_t root_ = SampledStacks::kWhole;
};

}  // namespace

bool begins_as_collapsed(std::string_view beginning) {
  const std::size_t first = beginning.find_first_not_of("\r\n");
  if (first == std::string_view::npos) return false;
  beginning.remove_prefix(first);
  const std::string_view line = without_blanks_behind(beginning.substr(0, beginning.find('\n')));
  return std::none_of(line.begin(), line.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; });
}

Status read_collapsed(SampleBytes& bytes, SampledStacks& stacks) {
  stacks.add_value("samples");
  stacks.origin.what = "collapsed stacks";
  stacks.origin.has_plain_counts = true;
  std::string begun;  // of a line that goes on in the next block
  Stacks lines(stacks);
  std::uint64_t number = 0, read = 0;
  const auto failed = [&](std::string_view why) {
    return Status::error(Fault::kMalformed, bytes.name() + ": line " + std::to_string(number) +
                                                ": " + std::string(why));
  };
  const auto take_line = [&](std::string_view text) -> Status {
    if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
    text = without_blanks_behind(text);
    if (text.empty() || is_comment(text)) return {};
    Line line;
    if (const std::string_view why = parse_line(text, line); !why.empty()) return failed(why);
    ++read;
    const Status added = lines.add(line);
    return added.ok() ? added : failed(added.message());
  };
  while (!bytes.at_end()) {
    const std::string_view block = bytes.block();
    const std::size_t end = block.find('\n');
    if (begun.empty()) ++number;
    if (begun.size() + std::min(end, block.size()) > kLongestLine)
      return failed("is longer than 64 MiB");
    if (end == std::string_view::npos) {
      begun += block;
      bytes.take(block.size());
      continue;
    }
    begun += block.substr(0, end);
    if (Status status = take_line(begun); !status) return status;
    begun.clear();
    bytes.take(end + 1);
  }
  if (!bytes.status()) return bytes.status();
  if (Status status = take_line(begun); !status) return status;
  return read != 0 ? Status()
                   : Status::error(Fault::kMalformed, bytes.name() + ": has no line with a stack");
}

}  // namespace copse::join
