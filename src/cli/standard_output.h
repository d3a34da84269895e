// Text of a command, written to standard output or a file, or read from a small file.
#pragma once

#include <cstddef>
#include <string>

#include "base/status.h"

namespace copse::cli {

// Returns the width of lines on standard output: COLUMNS of the environment, else the terminal's width, else
// report::TextLines::kUncut.
std::size_t line_width();

// Returns the exit status. A closed pipe, as in "copse ... | head", is no error and ends the command.
int print_text(const std::string& text);

// Writes to standard output if `path` is "" or "-", else replaces the file in one step.
int write_text_to(const std::string& path, const std::string& text);

// Reads a small file whole, for example a query. Error: "PATH: cannot be read, or is empty".
Result<std::string> text_of_file(const std::string& path);

}  // namespace copse::cli
