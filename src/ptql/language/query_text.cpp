#include "ptql/language/query_text.h"

#include <algorithm>
#include <cstddef>

#include "ptql/embedded_checks.h"

namespace copse::ptql {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool is_definition_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// Behind the comment or string that begins at `at`, or the character there.
std::size_t behind_token(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '-' && text.substr(at, 2) == "--") return std::min(text.find('\n', at), text.size());
  if (c != '\'' && c != '"') return at + 1;
  // A doubled quote ends one string and begins the next: the same for what stands between.
  return std::min(text.find(c, at + 1), text.size() - 1) + 1;
}

bool only_blanks_and_comments(std::string_view part) {
  for (std::size_t at = 0; at < part.size(); at = behind_token(part, at)) {
    if (part.substr(at, 2) != "--" && kBlanks.find(part[at]) == std::string_view::npos) {
      return false;
    }
  }
  return true;
}

// A blank for each character, and line ends as they are.
std::string blanked(std::string_view text) {
  std::string blank;
  for (const char c : text) {
    if (c == '\n') {
      blank += c;
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      blank += ' ';
    }
  }
  return blank;
}

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

std::vector<Definition> definitions_of(std::string_view text) {
  std::vector<Definition> found;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.starts_with("--")) continue;
    line = trimmed(line.substr(2));
    const std::size_t close = line.find('}');
    if (!line.starts_with("${") || close == std::string_view::npos) continue;
    const std::string_view name = line.substr(2, close - 2);
    const std::string_view rest = trimmed(line.substr(close + 1));
    if (!is_definition_name(name) || !rest.starts_with('=')) continue;
    found.push_back({std::string(name), std::string(trimmed(rest.substr(1)))});
  }
  return found;
}

std::string with_values(std::string_view text, const std::vector<Definition>& chosen) {
  std::vector<Definition> all = definitions_of(text);
  for (Definition& definition : all) {
    for (const Definition& other : chosen) {
      if (other.name == definition.name) definition.value = other.value;
    }
  }
  std::string result;
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find("${"), text.size());
    result += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto here = std::find_if(all.begin(), all.end(), [text](const Definition& definition) {
      return text.starts_with("${" + definition.name + "}");
    });
    if (here == all.end()) {
      result += text.front();
      text.remove_prefix(1);
      continue;
    }
    for (const char c : here->value) result.append(c == '\'' ? 2 : 1, c);
    text.remove_prefix(here->name.size() + 3);
  }
  return result;
}

bool has_query(std::string_view text) { return !only_blanks_and_comments(text); }

std::vector<std::string> split_queries(std::string_view text) {
  std::vector<std::string> queries;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size();) {
    if (at < text.size() && text[at] != ';') {
      at = behind_token(text, at);
      continue;
    }
    const std::string_view part = text.substr(begin, at - begin);
    if (!only_blanks_and_comments(part)) {
      queries.push_back(blanked(text.substr(0, begin)) + std::string(part));
    }
    begin = ++at;
  }
  if (queries.empty()) queries.emplace_back(text);
  return queries;
}

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
