// Keeps the JVM's lines about Copse out of what a launcher prints that `copse run` started: a script, or a program such as
// env and timeout.
//
// JAVA_TOOL_OPTIONS and JDK_JAVA_OPTIONS bring the agent and a larger stack to the launcher's JVMs, and each JVM prints a
// line about each of them. The lines stand in front of the program's own, and a script that reads its JVM's version from
// the first line goes wrong. No agent can help: the lines come before it. So this library is preloaded into the launcher's
// processes. In a java that runs a program it moves both options into the arguments, which the JVM takes silently: it
// starts the java anew, in the same process, and holds the variables for the agent to give back (launch_variables.h). In
// a java that only prints, it gives both variables their former values. In every java it takes itself out of LD_PRELOAD,
// so that the program and its children do not see it. Other processes stay as they are.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "agent/launch_variables.h"
#include "cli/preload/java_command.h"

namespace {

using copse::agent::kJavaOptions;
using copse::agent::kLaunchVariables;
using copse::agent::kToolOptions;
using copse::agent::LaunchVariable;
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

string_view value_of(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? string_view{} : string_view(value);
}

// Copies a text to `room`, which is moved behind it.
char* copied(string_view text, char*& room) {
  char* const copy = room;
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  room += text.size() + 1;
  return copy;
}

bool hold(const LaunchVariable& variable) {
  const char* const value = std::getenv(variable.name);
  return value == nullptr || setenv(variable.held, value, 1) == 0;
}

// Undoes hold() and what followed it.
void give_back(const LaunchVariable& variable) {
  if (const char* const value = std::getenv(variable.held); value != nullptr) {
    setenv(variable.name, value, 1);
    unsetenv(variable.held);
  }
}

// Returns only where there is nothing to move, or the system refuses; then the JVM reads the variables.
void start_with_arguments(int count, char** words) {
  const string_view agent = copse::cli::agent_option(value_of(kToolOptions.name));
  if (agent.empty()) return;
  // Without this setting the stack size is the user's own.
  const bool has_stack = agent.find("main-stack=") != string_view::npos;
  const string_view stack =
      has_stack ? copse::cli::stack_size_in(value_of(kJavaOptions.name)) : string_view{};
  // By its path, since the process is named after what it is started by.
  std::array<char, PATH_MAX> file{};
  const ssize_t bytes = readlink("/proc/self/exe", file.data(), file.size() - 1);
  if (bytes <= 0 || access(file.data(), X_OK) != 0) return;

  char* room = static_cast<char*>(std::malloc(agent.size() + stack.size() + 2));
  char** const more =
      static_cast<char**>(std::calloc(static_cast<std::size_t>(count) + 3, sizeof(char*)));
  if (room == nullptr || more == nullptr) return;
  char** end = more;
  *end++ = words[0];
  *end++ = copied(agent, room);
  if (!stack.empty()) *end++ = copied(stack, room);
  std::copy(words + 1, words + count, end);

  if (hold(kToolOptions) && (stack.empty() || hold(kJavaOptions))) {
    rewrite(kToolOptions.name, copse::cli::without_agent);
    if (!stack.empty()) rewrite(kJavaOptions.name, copse::cli::without_stack_size);
    execv(file.data(), more);
  }
  for (const LaunchVariable& variable : kLaunchVariables) give_back(variable);
}

// glibc gives the program's own arguments to the constructors of libraries.
__attribute__((constructor)) void on_load(int count, char** words) {
  if (count == 0 || file_name(words[0]) != "java") return;
  rewrite("LD_PRELOAD", without_this_library);
  if (copse::cli::only_prints(words)) {
    rewrite(kToolOptions.name, copse::cli::without_agent);
    rewrite(kJavaOptions.name, copse::cli::without_stack_size);
  } else {
    start_with_arguments(count, words);
  }
}

}  // namespace
