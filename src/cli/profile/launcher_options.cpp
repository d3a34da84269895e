#include "cli/profile/launcher_options.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

#include "cli/preload/java_command.h"

namespace copse::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::string_view kForTheJvm = "-J";

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

std::string without_comments(const std::string& text) {
  std::istringstream lines(text);
  std::string rest;
  for (std::string line; std::getline(lines, line);) rest += line.substr(0, line.find('#')) + '\n';
  return rest;
}

}  // namespace

std::string file_of_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate.string();
  }
  return name;
}

bool is_java_launcher(const std::string& word) { return fs::path(word).filename() == "java"; }

bool is_jdk_tool(const std::string& word) {
  std::error_code error;
  const fs::path folder = fs::canonical(file_of_program(word), error).parent_path();
  if (error) return false;
  return fs::exists(folder / "java", error) &&
         fs::exists(folder.parent_path() / "lib" / "libjli.so", error);
}

LauncherOptions LauncherOptions::of_command(const Words& words) {
  LauncherOptions options;
  if (is_java_launcher(words[0])) {
    for (std::size_t i = 1; i < words.size() && !options.ended_; ++i) {
      if (words[i].starts_with('@') && !words[i].starts_with("@@")) {
        options.read_file(words[i].substr(1), i);
      } else {
        options.take(words[i], i);
      }
    }
  } else if (is_jdk_tool(words[0])) {
    options.prefix_ = kForTheJvm;
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (words[i].starts_with(kForTheJvm)) {
        options.all_.push_back({words[i].substr(kForTheJvm.size()), i});
      }
    }
  }
  return options;
}

LauncherOptions LauncherOptions::of_variable(const char* text) {
  LauncherOptions options;
  for (const std::string& word : split_options(text == nullptr ? "" : text)) {
    if (options.ended_) break;
    options.take(word, 0);
  }
  return options;
}

void LauncherOptions::insert_behind(std::size_t word, const std::string& option,
                                    Words& words) const {
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(word) + 1,
               std::string(prefix_) + option);
}

void LauncherOptions::take(const std::string& text, std::size_t word) {
  if (is_value_) {
    is_value_ = false;
    return;
  }
  ended_ = ends_options(text);
  if (!ended_) all_.push_back({text, word});
  is_value_ = takes_next_word(text);
}

void LauncherOptions::read_file(const std::string& path, std::size_t word) {
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (const std::string& each : split_options(without_comments(text))) {
    if (ended_) break;
    take(each, word);
  }
  if (ended_) ending_file_ = word;
}

}  // namespace copse::cli
