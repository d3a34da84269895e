// Words of commands that a person may copy from a message into a shell.
#pragma once

#include <string>
#include <string_view>

namespace copse {

// Returns `text` in a form that a shell reads as that one word: unchanged if it has no characters
// special to a shell, else in single quotes. Text with characters that printable.h would change
// (control characters, invalid bytes) becomes $'...' with octal escapes, which bash, zsh and ksh
// read. printable() changes nothing in the result.
std::string shell_word(std::string_view text);

// Returns `text` in single quotes, for any shell.
std::string single_quoted(std::string_view text);

// Does the same as shell_word() for a path, with "./" before a leading dash, which a command might take for an
// option's.
std::string shell_path(std::string_view path);

}  // namespace copse
