// copse help [COMMAND] [--format FORMAT]
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/nearest.h"
#include "cli/command_outline.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/standard_output.h"

namespace copse::cli {
namespace {

struct Arguments {
  std::string topic;
  std::string format = "text";
};

// Returns the text about copse, or about the command of a number in `commands`. Completions are for all commands.
std::string text_about(const CLI::App& app, const std::string& format,
                       const std::vector<CommandOutline>& commands, std::size_t at) {
  if (format == "man") return manual_page(commands, at);
  if (format == "bash") return bash_completion(commands);
  if (format == "zsh") return zsh_completion(commands);
  if (format == "fish") return fish_completion(commands);
  if (at == 0) return app.get_formatter()->make_help(&app, "copse", CLI::AppFormatMode::Normal);
  return app.get_subcommand_ptr(commands[at].name)->help("copse");
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
      if (commands[i].name == arguments->topic) {
        exit_status = print_text(text_about(app, arguments->format, commands, i));
        return;
      }
      if (i != 0) names.push_back(commands[i].name);
    }
    exit_status = usage_error(arguments->topic + ": no such command" +
                              did_you_mean(arguments->topic, names, "; see copse help"));
  });
}

}  // namespace copse::cli
