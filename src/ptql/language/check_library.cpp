#include "ptql/language/check_library.h"

#include <algorithm>

#include "ptql/embedded_checks.h"

namespace copse::ptql {
namespace {

// Takes the first line off, without its mark; false when it is no comment.
bool take_comment(std::string_view& text, std::string_view& line) {
  if (!text.starts_with("--")) return false;
  const std::size_t end = std::min(text.find('\n'), text.size());
  line = text.substr(0, end);
  line.remove_prefix(line.starts_with("-- ") ? 3 : 2);
  text.remove_prefix(std::min(end + 1, text.size()));
  return true;
}

}  // namespace

const std::vector<Check>& check_library() {
  static const std::vector<Check> library = [] {
    std::vector<Check> checks;
    for (const embedded::EmbeddedCheck& check : embedded::kChecks) {
      const std::string_view text(reinterpret_cast<const char*>(check.bytes), check.size);
      std::string_view rest = text;
      std::string_view title;
      take_comment(rest, title);
      checks.push_back({check.name, title, text});
    }
    return checks;
  }();
  return library;
}

std::string explanation_of(const Check& check) {
  std::string_view rest = check.text;
  std::string_view line;
  take_comment(rest, line);
  std::string explanation;
  while (take_comment(rest, line)) {
    if (line.empty() || line.starts_with("${")) continue;
    explanation += line;
    explanation += '\n';
  }
  return explanation;
}

}  // namespace copse::ptql
