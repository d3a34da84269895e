#include "cli/messages.h"

#include <algorithm>
#include <cstdio>

#include "base/printable.h"

namespace copse::cli {
namespace {

int print_line(std::string message, int status) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  say(message);
  return status;
}

}  // namespace

void say(const std::string& message) {
  std::fprintf(stderr, "copse: %s\n", printable(message).c_str());
}

void say_each(const std::vector<std::string>& messages) {
  for (const std::string& message : messages) say(message);
}

int failure(const std::string& message) { return print_line(message, 1); }
int usage_error(const std::string& message) { return print_line(message, 2); }
int failure(const Status& status) {
  return print_line(status.message(), status.fault() == Fault::kUsage ? 2 : 1);
}

int usage_error_in_lines(const std::string& message) {
  std::fprintf(stderr, "copse: %s\n", message.c_str());
  return 2;
}

}  // namespace copse::cli
