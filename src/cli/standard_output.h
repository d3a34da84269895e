// Writes text of a command to standard output or a file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace copse::cli {

// Returns the columns of the terminal at standard output; std::nullopt if it is no terminal or does not say.
std::optional<std::size_t> terminal_width();

// Returns the exit status. A closed pipe, as in "copse ... | head", is no error and ends the command.
int print_text(const std::string& text);

// Writes to standard output if `path` is "" or "-", else replaces the file in one step.
int write_text_to(const std::string& path, const std::string& text);

}  // namespace copse::cli
