// Commands and their options as the parser knows them, for manual pages and completions.
#pragma once

#include <string>
#include <vector>

#include "cli/parser.h"

namespace copse::cli {

struct OptionOutline {
  std::vector<std::string> names;    // "-o", "--output"; one word without dashes for an argument
  std::string value;                 // "FILE=copse.json", "group|each"; "" for a flag
  std::vector<std::string> choices;  // words that the value can be; empty if it is free
  std::string description;
  bool repeats = false;

  bool is_argument() const { return names.front().front() != '-'; }
};

struct CommandOutline {
  std::string name;   // "" for copse itself
  std::string group;  // of copse help
  std::string usage;  // without "Usage: "
  std::string description;
  std::string footer;  // more about it, behind the options
  std::vector<OptionOutline> options;

  bool runs_a_program() const { return usage.find("-- COMMAND") != std::string::npos; }
};

// Returns what stands behind an option's name: "FILE=copse.json", "idle|jvm"; "" for a flag.
std::string value_of(const CLI::Option& option);
// Returns its description, with its choices if they are too many for value_of().
std::string description_of(const CLI::Option& option);

// Returns copse itself, then its commands in the order of copse help.
std::vector<CommandOutline> outline_of(const CLI::App& app);

// Returns the page of section 1 for the command at `at`, in the language of man(7).
std::string manual_page(const std::vector<CommandOutline>& commands, std::size_t at);

// Return a script that completes the words of a command line, for one shell.
std::string bash_completion(const std::vector<CommandOutline>& commands);
std::string zsh_completion(const std::vector<CommandOutline>& commands);
std::string fish_completion(const std::vector<CommandOutline>& commands);

}  // namespace copse::cli
