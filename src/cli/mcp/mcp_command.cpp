// copse mcp: Copse for coding agents.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command_outline.h"
#include "cli/commands.h"
#include "cli/mcp/server.h"
#include "cli/mcp/tools.h"

namespace copse::cli {

void add_mcp_command(CLI::App& app, int& exit_status) {
  CLI::App* command = app.add_subcommand(
      "mcp", "Let coding agents profile: a server of the Model Context Protocol");
  const auto allow_run = std::make_shared<bool>(false);
  command->add_flag("--allow-run", *allow_run,
                    "Let the agent start programs and attach to JVMs (profile, attach, ask); "
                    "without it these are refused");
  command->footer(tools_in_words());
  command->callback([&app, allow_run, &exit_status] {
    exit_status = serve({*allow_run, outline_of(app)});
  });
}

}  // namespace copse::cli
