// Text of a command to standard output or a file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace copse::cli {

// Of the terminal that standard output is, in columns; nothing when it is none or does not say.
std::optional<std::size_t> terminal_width();

// Gives the exit status. "copse ... | head" is no error: the write fails, and the command ends.
int print_text(const std::string& text);

// To standard output when `path` is "" or "-", else replaces the file in one step.
int write_text_to(const std::string& path, const std::string& text);

}  // namespace copse::cli
