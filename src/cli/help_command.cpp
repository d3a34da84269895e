// copse help [COMMAND] [--format FORMAT]
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/command_outline.h"
#include "cli/commands.h"
#include "cli/messages.h"

namespace copse::cli {
namespace {

struct Arguments {
  std::string topic;
  std::string format = "text";
};

// Writes about copse, or about the command of a number in `commands`. Completions are for all commands.
void write(const CLI::App& app, const std::string& format,
           const std::vector<CommandOutline>& commands, std::size_t at) {
  if (format == "man") {
    std::cout << manual_page(commands, at);
  } else if (format == "bash") {
    std::cout << bash_completion(commands);
  } else if (format == "zsh") {
    std::cout << zsh_completion(commands);
  } else if (format == "fish") {
    std::cout << fish_completion(commands);
  } else if (at == 0) {
    std::cout << app.get_formatter()->make_help(&app, "copse", CLI::AppFormatMode::Normal);
  } else {
    std::cout << app.get_subcommand_ptr(commands[at].name)->help("copse");
  }
}

}  // namespace

void add_help_command(CLI::App& app, int& exit_status) {
  CLI::App* help = app.add_subcommand("help", "Explain copse or one of its commands");
  const auto arguments = std::make_shared<Arguments>();
  help->add_option("command", arguments->topic, "What to explain");
  help->add_option("--format", arguments->format,
                   "text; a manual page (man); or a script that completes command lines in bash, "
                   "zsh or fish")
      ->type_name("text|man|bash|zsh|fish")
      ->check(CLI::IsMember(std::vector<std::string>{"text", "man", "bash", "zsh", "fish"}));
  help->callback([&app, &exit_status, arguments] {
    const std::vector<CommandOutline> commands = outline_of(app);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < commands.size(); ++i) {
      if (commands[i].name == arguments->topic) return write(app, arguments->format, commands, i);
      if (i != 0) names.push_back(commands[i].name);
    }
    exit_status = usage_error(arguments->topic + ": no such command" +
                              did_you_mean(arguments->topic, names, "; see copse help"));
  });
}

}  // namespace copse::cli
