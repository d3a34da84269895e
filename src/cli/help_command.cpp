// copse help [COMMAND]
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/messages.h"

namespace copse::cli {

void add_help_command(CLI::App& app, int& exit_status) {
  CLI::App* help = app.add_subcommand("help", "Explain copse or one of its commands");
  const auto topic = std::make_shared<std::string>();
  help->add_option("command", *topic, "What to explain");
  help->callback([&app, &exit_status, topic] {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(command->get_name());
      if (command->get_name() != *topic) continue;
      std::cout << command->help("copse");
      return;
    }
    if (topic->empty()) {
      std::cout << app.get_formatter()->make_help(&app, "copse", CLI::AppFormatMode::Normal);
      return;
    }
    exit_status =
        usage_error(*topic + ": no such command" + did_you_mean(*topic, names, "; see copse help"));
  });
}

}  // namespace copse::cli
