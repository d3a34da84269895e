#include "base/shell_word.h"

#include <cstdio>

#include "base/printable.h"

namespace copse {
namespace {

constexpr std::string_view kPlain =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";

// zsh takes "=name" for the path of a program.
bool is_plain(std::string_view text) {
  return !text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos &&
         text.front() != '=';
}

std::string with_escapes(std::string_view text) {
  std::string word = "$'";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '\'' || letter == '\\') {
      (word += '\\') += letter;
    } else if (byte >= 0x20 && byte < 0x7F) {
      word += letter;
    } else {
      char escape[5];
      std::snprintf(escape, sizeof escape, "\\%03o", static_cast<unsigned>(byte));
      word += escape;
    }
  }
  return word + "'";
}

}  // namespace

std::string single_quoted(std::string_view text) {
  std::string word = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      word += "'\\''";
    } else {
      word += letter;
    }
  }
  return word + "'";
}

std::string shell_word(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  return printable(text) == text ? single_quoted(text) : with_escapes(text);
}

std::string shell_path(std::string_view path) {
  return shell_word(path.starts_with('-') ? "./" + std::string(path) : std::string(path));
}

}  // namespace copse
