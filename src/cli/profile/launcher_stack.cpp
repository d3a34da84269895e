#include "cli/profile/launcher_stack.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "agent/stack_scale.h"

namespace copse::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::string_view kStackSize = "-Xss";
constexpr const char* kJavaOptions = "JDK_JAVA_OPTIONS";

// The size that -Xss names, in the launcher's own spelling; nothing: the word is no such option, or
// one that the JVM will refuse.
std::optional<std::uint64_t> stack_size(std::string_view word) {
  if (!word.starts_with(kStackSize)) return std::nullopt;
  const std::string_view text = word.substr(kStackSize.size());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  constexpr std::string_view kUnits = "kKmMgG";
  if (unit.empty()) return number;
  const std::size_t found = kUnits.find(unit.front());
  if (unit.size() > 1 || found == std::string_view::npos) return std::nullopt;
  return number << (10 * (found / 2 + 1));
}

// Options of the launcher whose value is the next word.
bool takes_next_word(std::string_view option) {
  constexpr std::array<std::string_view, 16> kOptions = {"-cp",
                                                         "-classpath",
                                                         "--class-path",
                                                         "-p",
                                                         "--module-path",
                                                         "--upgrade-module-path",
                                                         "--add-modules",
                                                         "--enable-native-access",
                                                         "--limit-modules",
                                                         "--add-reads",
                                                         "--add-exports",
                                                         "--add-opens",
                                                         "--patch-module",
                                                         "-d",
                                                         "--describe-module",
                                                         "--source"};
  return std::find(kOptions.begin(), kOptions.end(), option) != kOptions.end();
}

// Split at white space outside quotes, as the launcher does.
Words split_options(std::string_view text) {
  Words words;
  std::optional<std::string> word;
  char quote = '\0';
  for (const char c : text) {
    const bool is_space = std::string_view(" \t\n\r\f\v").find(c) != std::string_view::npos;
    if (quote == '\0' && is_space) {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
      continue;
    }
    if (!word) word.emplace();
    if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    } else {
      *word += c;
    }
  }
  if (word) words.push_back(*word);
  return words;
}

// Options of a command line that belong to the launcher.
class LauncherOptions {
 public:
  // Reads the words from `first` on.
  LauncherOptions(const Words& words, std::size_t first) {
    for (std::size_t i = first; i < words.size() && !ended_; ++i) {
      if (words[i].starts_with('@') && !words[i].starts_with("@@")) {
        read_file(words[i].substr(1), i);
      } else {
        take(words[i], i);
      }
    }
  }
  explicit LauncherOptions(const Words& words) : LauncherOptions(words, 0) {}

  std::optional<std::uint64_t> stack_bytes() const { return stack_bytes_; }
  // The word behind which another -Xss has the last say; nothing: there is no such place, for what
  // names the last one also names the program.
  std::optional<std::size_t> last_word() const { return last_word_; }

 private:
  void take(const std::string& word, std::size_t at) {
    if (is_value_) {
      is_value_ = false;
      return;
    }
    if (const auto bytes = stack_size(word)) {
      stack_bytes_ = bytes;
      last_word_ = at;
    }
    is_value_ = takes_next_word(word);
    ended_ = !word.starts_with('-') || word == "-jar" || word == "-m" || word == "--module" ||
             word.starts_with("--module=");
  }

  void read_file(const std::string& path, std::size_t at) {
    std::ifstream file(path);
    const std::string text((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    const std::optional<std::size_t> before = last_word_;
    for (const std::string& word : split_options(without_comments(text))) {
      if (ended_) break;
      take(word, at);
    }
    if (ended_ && last_word_ != before) last_word_ = std::nullopt;
  }

  static std::string without_comments(const std::string& text) {
    std::istringstream lines(text);
    std::string rest;
    for (std::string line; std::getline(lines, line);)
      rest += line.substr(0, line.find('#')) + '\n';
    return rest;
  }

  std::optional<std::uint64_t> stack_bytes_;
  std::optional<std::size_t> last_word_ = 0;
  bool is_value_ = false;
  bool ended_ = false;
};

// 0 asks for the JVM's own default of the platform; the largest size has none above it.
bool can_grow(std::uint64_t bytes) { return bytes != 0 && agent::scaled_stack(bytes) > bytes; }

fs::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return name;
}

// javac and its like: the same launcher, which takes the JVM's options behind -J.
bool is_jdk_tool(const std::string& word) {
  std::error_code error;
  const fs::path folder = fs::canonical(find_program(word), error).parent_path();
  if (error) return false;
  return fs::exists(folder / "java", error) &&
         fs::exists(folder.parent_path() / "lib" / "libjli.so", error);
}

void insert_behind(Words& words, std::size_t at, std::string word) {
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(word));
}

MoreStack for_java(Words words, const LauncherOptions& from_environment) {
  const LauncherOptions own(words, 1);
  MoreStack more;
  const std::uint64_t before = own.stack_bytes().value_or(
      from_environment.stack_bytes().value_or(agent::kDefaultStackBytes));
  if (own.last_word() && can_grow(before)) {
    more.bytes = agent::scaled_stack(before);
    insert_behind(words, *own.last_word(), agent::stack_option(more.bytes));
  }
  more.words = std::move(words);
  return more;
}

MoreStack for_jdk_tool(Words words) {
  constexpr std::string_view kForTheJvm = "-J";
  std::uint64_t before = agent::kDefaultStackBytes;
  std::size_t last = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with(kForTheJvm)) continue;
    const auto bytes = stack_size(std::string_view(words[i]).substr(kForTheJvm.size()));
    if (!bytes) continue;
    before = *bytes;
    last = i;
  }
  MoreStack more;
  if (can_grow(before)) {
    more.bytes = agent::scaled_stack(before);
    insert_behind(words, last, std::string(kForTheJvm) + agent::stack_option(more.bytes));
  }
  more.words = std::move(words);
  return more;
}

}  // namespace

bool is_java_launcher(const std::string& word) { return fs::path(word).filename() == "java"; }

MoreStack with_more_stack(Words words, const char* java_options) {
  const std::string options = java_options == nullptr ? "" : java_options;
  const LauncherOptions from_environment(split_options(options));
  if (is_java_launcher(words[0])) return for_java(std::move(words), from_environment);
  if (is_jdk_tool(words[0])) return for_jdk_tool(std::move(words));
  MoreStack more;
  more.words = std::move(words);
  const std::uint64_t before = from_environment.stack_bytes().value_or(agent::kDefaultStackBytes);
  if (!can_grow(before)) return more;
  more.bytes = agent::scaled_stack(before);
  more.environment.push_back(std::string(kJavaOptions) + "=" + options +
                             (options.empty() ? "" : " ") + agent::stack_option(more.bytes));
  return more;
}

}  // namespace copse::cli
