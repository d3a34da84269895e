// What the command line says when something is wrong: always one line, "copse: what: why".
#pragma once

#include <string>
#include <vector>

namespace copse::cli {

// Prints "copse: MESSAGE" to standard error, with what a terminal would take for commands escaped. Nothing happens when the
// reader is gone.
void say(const std::string& message);
void say_each(const std::vector<std::string>& messages);

// Print the line to standard error and give the exit status: 1, or 2 for wrong usage.
int failure(const std::string& message);
int usage_error(const std::string& message);
// The same of a message that shows its place in lines of their own; it is printable.
int usage_error_in_lines(const std::string& message);

// "; did you mean X?" with the nearest of `known` or, when none is near, `otherwise`.
std::string did_you_mean(const std::string& typed, const std::vector<std::string>& known,
                         const std::string& otherwise);

}  // namespace copse::cli
