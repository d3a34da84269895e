#include "cli/parse_trouble.h"

#include <CLI/CLI.hpp>
#include <regex>

#include "agent/option_table.h"
#include "base/joined_text.h"
#include "base/nearest.h"
#include "base/shell_word.h"
#include "cli/messages.h"

namespace copse::cli {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// The line that was meant, where a program's command line began without a divider.
std::string with_divider(const std::vector<std::string>& words, const std::string& program) {
  std::string line = "copse";
  bool divided = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!divided && i > 0 && words[i] == program) {
      line += " --";
      divided = true;
    }
    line += " " + shell_word(words[i]);
  }
  return line;
}

// The commands, but for this one, that have an option of this name: "copse ids, copse validate".
std::string commands_with(const CLI::App& app, const CLI::App& but, const std::string& name) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command == &but || command->get_option_no_throw(name) == nullptr) continue;
    commands.push_back("copse " + command->get_name());
  }
  return joined_text(commands);
}

std::string explain_leftover(const CLI::App& app, const std::vector<std::string>& words) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const std::vector<std::string> leftovers = app.remaining(true);
  const std::string typed = leftovers.empty() ? "arguments" : leftovers.front();
  if (chosen.empty() && typed.rfind('-', 0) != 0) {
    const std::vector<std::string> names = command_names(app);
    if (typed == "gate") {
      return typed +
             ": no such command; the gate is copse diff OLD NEW --fail-if RULE, or copse baseline "
             "check BASELINE NEW";
    }
    return typed + ": no such command" +
           did_you_mean(typed, names, "; there are " + joined_text(names));
  }
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::string full_name = chosen.empty() ? "copse" : "copse " + command.get_name();
  if (typed.rfind('-', 0) == 0) {
    const std::string name = typed.substr(0, typed.find('='));
    if (const std::string now = agent::former_option(name, agent::Spelling::kCommandLine);
        !now.empty()) {
      return name + ": is called " + now + " now";
    }
    if (const std::string others = commands_with(app, command, name); !others.empty()) {
      return name + ": no option of " + full_name + ", only of " + others;
    }
    if (name == "--slices" && full_name == "copse report") {
      return name +
             ": no such option; copse report FILE lists the slices of a run with --slice, and "
             "--slice ID shows one";
    }
    return name + ": no such option of " + full_name +
           did_you_mean(name, option_names(command), "; see " + full_name + " --help");
  }
  if (full_name == "copse run" || full_name == "copse ids" || full_name == "copse record") {
    return typed + ": not an option; put -- before the command: " + with_divider(words, typed);
  }
  if (full_name == "copse compare") {
    return typed +
           ": copse compare puts every encoding of contexts on one trace; copse diff OLD NEW "
           "compares two reports";
  }
  return typed + ": not expected after what came before; see " + full_name + " --help";
}

// Returns the parser's reason in the words of our own checks.
std::string in_our_words(const std::string& why) {
  const auto match = [&](const char* pattern, std::smatch& found) {
    return std::regex_match(why, found, std::regex(pattern));
  };
  std::smatch found;
  // For a flag the parser says "jdk was given a disallowed flag override".
  if (match("(\\S+) was given a disallowed flag override", found)) {
    return "--" + found.str(1) + ": takes no value";
  }
  if (match("(.*): At Most 1 required but received (\\d+)", found)) {
    return found.str(1) + ": given " + found.str(2) + " times, takes one value";
  }
  if (match("(.*): (.*) not in \\{(.*)\\}", found)) {
    const std::string choices = std::regex_replace(found.str(3), std::regex(","), ", ");
    return found.str(1) + ": '" + found.str(2) + "' is not one of " + choices;
  }
  if (match("(.*): Value (.*) not in range (.*) to (.*)", found)) {
    return found.str(1) + ": '" + found.str(2) + "' is not a number from " + found.str(3) + " to " +
           found.str(4);
  }
  if (match("(.*): Directory does not exist: (.*)", found)) {
    return found.str(1) + ": " + found.str(2) + ": no such folder";
  }
  return why;
}

}  // namespace

std::string explain(const CLI::App& app, const CLI::ParseError& error,
                    const std::vector<std::string>& words) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return explain_leftover(app, words);
  if (app.get_subcommands().empty()) {
    // With a required subcommand missing the parser does not look at what else was typed.
    if (!app.remaining(true).empty()) return explain_leftover(app, words);
    return "no command given; see copse help";
  }
  const std::string name = app.get_subcommands().front()->get_name();
  const std::string why = in_our_words(error.what());
  return name + ": " + why + (why.ends_with('?') ? "" : "; see copse " + name + " --help");
}

}  // namespace copse::cli
