#include "agent/program_name.h"

#include <algorithm>
#include <filesystem>

#include "base/utf8.h"

namespace copse::agent {
namespace {

constexpr std::size_t kMostCharacters = 80;
constexpr std::string_view kJar = ".jar";

bool is_file(std::string_view path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

// A main class, a module with one, or the path of a jar.
std::string_view first_word(std::string_view command) {
  const std::size_t first = command.find(' ');
  if (first == std::string_view::npos) return command;
  for (std::size_t end = first; end != std::string_view::npos; end = command.find(' ', end + 1)) {
    const std::string_view path = command.substr(0, end);
    if (path.ends_with(kJar) && is_file(path)) return path;
  }
  if (command.ends_with(kJar) && is_file(command)) return command;
  return command.substr(0, first);
}

// Returns the number in a word "...-jvmRun2", by which Surefire tells its forks apart; "" for the first.
std::string fork_number(std::string_view java_command) {
  constexpr std::string_view kRun = "-jvmRun";
  const std::size_t at = java_command.find(kRun);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = java_command.substr(at + kRun.size());
  const std::string_view number = rest.substr(0, std::min(rest.find(' '), rest.size()));
  return number == "1" ? "" : "-" + std::string(number);
}

// Returns the name of a JVM that a build tool started for tests; "" for any other.
std::string name_of_tests(std::string_view word, std::string_view java_command,
                          std::string_view folder) {
  const std::string project(folder.substr(folder.rfind('/') + 1));
  const std::string behind = project.empty() ? "" : "-" + project;
  if (word.starts_with("surefirebooter")) return "surefire" + behind + fork_number(java_command);
  return word.ends_with(".GradleWorkerMain") ? "gradle-test" + behind : "";
}

bool is_plain(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-' || c == '$';
}

}  // namespace

std::string program_name(std::string_view java_command, std::string_view folder) {
  std::string_view word = first_word(java_command);
  word = word.substr(word.rfind('/') + 1);
  const std::string of_tests = name_of_tests(word, java_command, folder);
  if (!of_tests.empty()) word = of_tests;
  if (word.ends_with(kJar)) word.remove_suffix(kJar.size());
  std::string name;
  while (!word.empty() && name.size() < kMostCharacters) {
    const char32_t c = take_code_point(word);
    name += is_plain(c) ? static_cast<char>(c) : '_';
  }
  return name.empty() ? "jvm" : name;
}

}  // namespace copse::agent
