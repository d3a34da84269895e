#include "report/model/text_lines.h"

#include <fmt/format.h>

#include "base/joined_text.h"
#include "report/model/display_names.h"

namespace copse::report {

void TextLines::line(std::string_view text) {
  out_.put(text);
  out_.put('\n');
}

void TextLines::wrapped(std::string_view start, const std::string& text) {
  std::string indent(start);
  std::string_view rest = text;
  constexpr std::size_t kLeastRoom = 20;
  const std::size_t room = std::max(width_ - std::min(width_, start.size()), kLeastRoom);
  while (rest.size() > room) {
    std::size_t cut = rest.rfind(' ', room);
    if (cut == std::string_view::npos || cut == 0) cut = rest.find(' ', 1);
    if (cut == std::string_view::npos) break;
    line(indent + std::string(rest.substr(0, cut)));
    rest.remove_prefix(cut + 1);
    indent.assign(start.size(), ' ');
  }
  line(indent + std::string(rest));
}

void TextLines::heading(const std::string& text) {
  out_.put('\n');
  wrapped("", text);
}

void TextLines::row(const std::string& columns, const std::string& name) {
  line(columns + fitted(name, width_ - columns.size()));
}

void TextLines::left_out(const std::vector<std::string>& columns, std::size_t width) {
  if (columns.empty()) return;
  wrapped("", fmt::format("(no room for {}: --width {})", joined_text(columns), width));
}

}  // namespace copse::report
