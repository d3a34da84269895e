// The command line: picks the subcommand and turns every failure into one line and a status.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/messages.h"

namespace copse {
namespace {

int run_command_line(int argc, char** argv) {
  // What follows `--` is another program's command line: none of it is ours to read.
  char** const end = argv + argc;
  char** const divider =
      std::find_if(argv, end, [](const char* word) { return std::string_view(word) == "--"; });
  const std::vector<std::string> program(divider == end ? end : divider + 1, end);
  CLI::App app("Exact calling-context profiles: every context, with its number of calls.", "copse");
  app.set_version_flag("--version", "copse " COPSE_VERSION);
  app.require_subcommand(1);
  int exit_status = 0;
  add_run_command(app, program, exit_status);
  add_record_command(app, program, exit_status);
  add_attach_command(app, exit_status);
  add_dump_command(app, exit_status);
  add_detach_command(app, exit_status);
  add_replay_command(app, exit_status);
  add_report_command(app, exit_status);
  add_recover_command(app, exit_status);
  add_decode_command(app, exit_status);
  add_events_command(app, exit_status);
  add_graph_command(app, exit_status);
  add_validate_command(app, program, exit_status);
  add_compare_command(app, program, exit_status);
  add_help_command(app, exit_status);
  try {
    app.parse(static_cast<int>(divider - argv), argv);
    return exit_status;
  } catch (const CLI::Success& asked_for_text) {  // --help, --version
    return app.exit(asked_for_text);
  } catch (const CLI::ParseError& error) {
    return usage_error(explain(app, error));
  }
}

}  // namespace
}  // namespace copse

int main(int argc, char** argv) {
  try {
    return copse::run_command_line(argc, argv);
  } catch (const std::bad_alloc&) {
    return copse::failure("out of memory: close other programs or use a machine with more");
  } catch (const std::exception& unexpected) {
    return copse::failure(unexpected.what());
  }
}
