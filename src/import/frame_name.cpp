#include "import/frame_name.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/java_type.h"
#include "report/model/report_model.h"

namespace copse::join {
namespace {

// Removes ":123" from the end and returns 123; -1 means none.
std::int32_t take_line(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return -1;
  std::int32_t line = -1;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, line);
  if (error != std::errc{} || stop != end || line < 0) return -1;
  text = text.substr(0, colon);
  return line;
}

// Returns the length of the descriptor's type at the beginning of `text`; 0 means none.
std::size_t type_length(std::string_view text) {
  const std::size_t kind = std::min(text.find_first_not_of('['), text.size());
  if (kind == text.size()) return 0;
  if (text[kind] != 'L')
    return std::string_view("BCDFIJSZV").find(text[kind]) == std::string_view::npos ? 0 : kind + 1;
  const std::size_t end = text.find(';', kind);
  return end == std::string_view::npos ? 0 : end + 1;
}

// Returns true for the name of a class or of a primitive type, with or without "[]".
bool is_type(std::string_view text) {
  while (text.ends_with("[]")) text.remove_suffix(2);
  return !text.empty() && text.front() != '.' && text.back() != '.' &&
         text.find("..") == std::string_view::npos &&
         text.find_first_of(" ()<>[]:;/*?\"") == std::string_view::npos;
}

// Returns true for "Foo.java", which stack traces have in parentheses when a line is not known.
bool is_source(std::string_view text) {
  constexpr std::array<std::string_view, 5> kEndings = {".java", ".kt", ".scala", ".groovy",
                                                        ".clj"};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return text.ends_with(ending); });
}

// "int, Row" -> "(ILRow;)"; "" if these are not types alone.
std::string descriptor_of_types(std::string_view types) {
  std::string descriptor = "(";
  if (is_source(types) || types.ends_with(',')) return {};
  while (!types.empty()) {
    const std::size_t comma = std::min(types.find(','), types.size());
    std::string_view type = types.substr(0, comma);
    types.remove_prefix(std::min(comma + 1, types.size()));
    if (type.starts_with(' ')) type.remove_prefix(1);
    if (!is_type(type)) return {};
    descriptor += descriptor_of_type(type);
  }
  return descriptor + ')';
}

// Removes ": Row" from the beginning and returns the type's descriptor; "" if there is none.
std::string take_result(std::string_view& text) {
  if (!text.starts_with(": ")) return {};
  const std::size_t end = std::min(text.find(':', 1), text.size());
  const std::string_view type = text.substr(2, end - 2);
  if (!is_type(type)) return {};
  text.remove_prefix(end);
  return descriptor_of_type(type);
}

// Returns the place of the parenthesis behind a method's name, npos if there is none. Behind a blank it is a part of
// the name.
std::size_t open_parenthesis(std::string_view text) {
  std::size_t open = text.find('(');
  while (open != text.npos && open != 0 && text[open - 1] == ' ') open = text.find('(', open + 1);
  return open == 0 ? text.npos : open;
}

// Removes parentheses from the end: a descriptor, types as in Java source, or a source with its line.
void take_parentheses(std::string_view& text, std::size_t open, Frame& frame) {
  const std::string_view behind = text.substr(open);
  text = text.substr(0, open);
  if (const std::size_t length = descriptor_length(behind); length != 0) {
    frame.descriptor = behind.substr(0, length);
    std::string_view rest = behind.substr(length);
    frame.line = take_line(rest);
    return;
  }
  const std::size_t close = behind.rfind(')');
  if (close == std::string_view::npos) return;
  std::string_view inside = behind.substr(1, close - 1), rest = behind.substr(close + 1);
  frame.descriptor = descriptor_of_types(inside);
  if (!frame.descriptor.empty()) frame.descriptor += take_result(rest);
  frame.line = std::max(take_line(inside), take_line(rest));
}

// Removes the kind of code from the end: interpreted, by compiler 1, inlined, just in time; keeps
// that of the kernel.
void take_kind_of_code(std::string_view& text) {
  const bool has_one =
      text.size() > 4 && text.ends_with(']') && text.substr(text.size() - 4, 2) == "_[";
  if (has_one && text[text.size() - 2] != 'k') text.remove_suffix(4);
}

// "[main tid=123]", as async-profiler has it, or "[main]".
std::string_view thread_name(std::string_view in_brackets) {
  const std::string_view name = in_brackets.substr(1, in_brackets.size() - 2);
  const std::size_t number = name.rfind(" tid=");
  return number == std::string_view::npos ? name : name.substr(0, number);
}

// Returns the frame as spelled, with separate fields as for FrameKind::kTaken.
Frame written_frame(std::string_view text) {
  const std::string_view whole = text;
  Frame place;
  if (text.empty()) {
    place.method = kUnnamedFrame;
    return place;
  }
  take_kind_of_code(text);
  if (const std::size_t open = open_parenthesis(text); open != std::string_view::npos) {
    take_parentheses(text, open, place);
    // HotSpot adds the return type to names for perf.
    text.remove_prefix(text.rfind(' ') + 1);  // npos + 1 is the start
  }
  if (const std::int32_t line = take_line(text); line >= 0) place.line = line;
  Frame frame = written_function(text);
  if (frame.class_name.empty()) return written_function(whole);
  frame.descriptor = std::move(place.descriptor);
  frame.line = place.line;
  return frame;
}

}  // namespace

std::size_t descriptor_length(std::string_view text) {
  std::size_t at = 1;
  while (at < text.size() && text[at] != ')') {
    const std::size_t length = type_length(text.substr(at));
    if (length == 0) return 0;
    at += length;
  }
  if (at >= text.size()) return 0;
  const std::size_t result = type_length(text.substr(at + 1));
  return result == 0 ? 0 : at + 1 + result;
}

bool may_be_spelled(std::string_view descriptor, std::string_view spelled) {
  if (descriptor.empty() || spelled.empty() || descriptor == spelled) return true;
  // Types are spelled with their packages, all or none. The result may be missing.
  const bool has_packages = spelled.find('/') != spelled.npos;
  while (!spelled.empty()) {
    if (descriptor.empty()) return false;
    const char next = spelled.front();
    if (next == '(' || next == ')' || next == 'V') {
      if (descriptor.front() != next) return false;
      spelled.remove_prefix(1);
      descriptor.remove_prefix(1);
      continue;
    }
    const std::string wanted = take_java_type(spelled), type = take_java_type(descriptor);
    if (wanted.empty() || type.empty()) return false;
    const std::string simple = type.substr(type.rfind('.') + 1);  // npos + 1 is the start
    if (wanted != (has_packages ? type : simple)) return false;
  }
  return true;
}

bool says_frames_are_missing(std::string_view text) {
  constexpr std::array kMarkers = {
      std::string_view("[unknown_Java"),      std::string_view("[unknown_state"),
      std::string_view("[not_walkable_Java"), std::string_view("[break_"),
      std::string_view("[skipped"),           std::string_view("[truncated")};
  return std::any_of(kMarkers.begin(), kMarkers.end(),
                     [&](std::string_view known) { return text.starts_with(known); });
}

Frame thread_frame(std::string_view name) {
  Frame frame;
  frame.method = "[" + std::string(name) + "]";
  return frame;
}

std::string comparable_class(std::string_view name) {
  constexpr std::string_view kLambda = "$$Lambda";
  const std::size_t lambda = name.find(kLambda);
  if (lambda != std::string_view::npos) {
    const std::string_view behind = name.substr(lambda + kLambda.size());
    if (behind.empty() || std::string_view("$+/.").find(behind[0]) != std::string_view::npos) {
      name = name.substr(0, lambda + kLambda.size());
    }
  }
  for (const std::string_view address : {"+0x", "/0x", ".0x"})
    name = name.substr(0, name.find(address));
  std::string comparable(name);
  std::replace(comparable.begin(), comparable.end(), '/', '.');
  return comparable;
}

std::string written_class(std::string_view name) {
  std::string written(name);
  // In a class name spelled with dots, a slash is part of the name.
  if (name.substr(0, name.find('/')).find('.') != std::string_view::npos) return written;
  for (std::size_t at = 0; at + 1 < written.size(); ++at) {
    const bool is_digit = written[at + 1] >= '0' && written[at + 1] <= '9';
    if (written[at] == '/' && !is_digit) written[at] = '.';
  }
  return written;
}

Frame written_function(std::string_view name) {
  Frame frame;
  const std::size_t dot = name.rfind('.');
  const std::string_view class_name = name.substr(0, dot);
  // Class names have none of these characters; names that Copse writes for events do.
  const bool is_of_class = dot != std::string_view::npos && dot != 0 && dot + 1 != name.size() &&
                           class_name.find_first_of(" ()[]<>:*;") == std::string_view::npos;
  const bool is_evicted = class_name == report::kEvictedClass;
  if (is_of_class || is_evicted) {
    frame.class_name = written_class(class_name);
    frame.method = name.substr(dot + 1);
  } else {
    frame.method = name;
  }
  return frame;
}

TextFrame frame_of_text(std::string_view text, FrameReading reading) {
  if (reading == FrameReading::kAll) return {FrameKind::kTaken, written_frame(text)};
  if (text.starts_with('[') && text.ends_with(']')) {
    if (says_frames_are_missing(text)) return {FrameKind::kMissing, {}};
    if (reading != FrameReading::kToCompareByThread) return {};
    return {FrameKind::kThread, thread_frame(thread_name(text))};
  }
  if (text.ends_with("_[k]")) return {};
  take_kind_of_code(text);
  TextFrame found;
  const std::size_t open = open_parenthesis(text);
  if (open != std::string_view::npos) take_parentheses(text, open, found.frame);
  if (const std::int32_t line = take_line(text); line >= 0) found.frame.line = line;
  // HotSpot tells perf the type that a method returns, and its parameters; other names may have blanks.
  if (open != std::string_view::npos)
    text.remove_prefix(text.rfind(' ') + 1);  // npos + 1 is the start
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == text.size()) return {};
  if (text.find("::") != std::string_view::npos) return {};
  found.kind = FrameKind::kTaken;
  found.frame.class_name = comparable_class(text.substr(0, dot));
  found.frame.method = text.substr(dot + 1);
  return found;
}

}  // namespace copse::join
