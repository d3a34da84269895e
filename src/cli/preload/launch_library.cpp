// Keeps `java -version` silent about Copse below a script that `copse run` started.
//
// JAVA_TOOL_OPTIONS and JDK_JAVA_OPTIONS bring the agent and a larger stack to the script's JVMs, and each JVM prints a
// line about each of them. A script that reads its JVM's version from the first line goes wrong. No agent can help: the
// lines come before it. So this library is preloaded into the script's processes. In a java that only prints, it gives
// both variables their former values; in every java it takes itself out of LD_PRELOAD, so that the program and its
// children do not see it. Other processes stay as they are.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "cli/preload/java_command.h"

namespace {

using copse::cli::first_of;
using copse::cli::rest_of;
using std::string_view;

string_view file_name(string_view path) { return rest_of(path, path.rfind('/') + 1); }

void set_or_unset(const char* name, string_view value, char* room) {
  if (value.empty()) {
    unsetenv(name);
    return;
  }
  std::memmove(room, value.data(), value.size());
  room[value.size()] = '\0';
  setenv(name, room, 1);
}

// Applies `change` to a variable's value.
template <typename Change>
void rewrite(const char* name, Change change) {
  const char* const value = std::getenv(name);
  if (value == nullptr) return;
  const std::size_t bytes = std::strlen(value);
  char* const room = static_cast<char*>(std::malloc(bytes + 1));
  if (room == nullptr) return;
  std::memcpy(room, value, bytes + 1);
  set_or_unset(name, change(string_view(room, bytes)), room);
  std::free(room);
}

// `copse run` puts this library in front of all others.
string_view without_this_library(string_view preloaded) {
  const std::size_t end = std::min(preloaded.find_first_of(": "), preloaded.size());
  if (file_name(first_of(preloaded, end)) != copse::cli::kLaunchLibrary) return preloaded;
  return rest_of(preloaded, std::min(end + 1, preloaded.size()));
}

// glibc gives the program's own arguments to the constructors of libraries.
__attribute__((constructor)) void on_load(int count, char** words) {
  if (count == 0 || file_name(words[0]) != "java") return;
  rewrite("LD_PRELOAD", without_this_library);
  if (!copse::cli::only_prints(words)) return;
  rewrite("JAVA_TOOL_OPTIONS", copse::cli::without_agent);
  rewrite("JDK_JAVA_OPTIONS", copse::cli::without_stack_size);
}

}  // namespace
