// Error messages of the command line, each one line: "copse: what: why".
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace copse::cli {

// Prints "copse: MESSAGE" to standard error, with terminal control characters escaped. Ignores a closed reader.
void say(const std::string& message);
void say_each(const std::vector<std::string>& messages);

// Print the line to standard error and return the exit status: 1, or 2 for wrong usage.
int failure(const std::string& message);
int usage_error(const std::string& message);
// Prints the message of a failure. Its kind decides the exit status (base/status.h).
int failure(const Status& status);
template <typename T>
int failure(const Result<T>& result) {
  return failure(result.status());
}
// Same, for a printable message that shows its place in lines of its own.
int usage_error_in_lines(const std::string& message);

}  // namespace copse::cli
