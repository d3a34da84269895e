// copse ids [options] -- COMMAND: a context id in every thread, and counts of marks and measures by context.
#include <CLI/CLI.hpp>
#include <memory>

#include "agent/output_path.h"
#include "cli/commands.h"
#include "cli/file_kind.h"
#include "cli/messages.h"
#include "cli/profile/run_program.h"
#include "cli/program_options.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

struct IdsArguments {
  RunRequest request;
  bool fail_if_empty = false;
};

Status check(const RunRequest& request) {
  const agent::AgentOptions& options = request.options;
  if (request.command.empty()) {
    return Status::error(Fault::kUsage,
                         "ids: no command after --; write copse ids [options] -- COMMAND [ARG...]");
  }
  if (Status status = check_agent_options(options); !status) return status;
  const std::string event_file = agent::event_file_of(options);
  if (Status status = agent::check_run_files(options.out, agent::has_id_file(options), event_file,
                                             agent::graph_of(options));
      !status) {
    return status;
  }
  if (Status status = report::check_report_ending(options.out); !status) return status;
  return report::check_other_ending(event_file, "an event file", ".events");
}

int keep_ids(IdsArguments& arguments) {
  if (const Status status = check(arguments.request); !status) return failure(status);
  if (const Status status = check_call_graph_kind(agent::graph_of(arguments.request.options));
      !status) {
    return failure(status);
  }
  return exit_status_of(run_program(std::move(arguments.request)), arguments.fail_if_empty);
}

}  // namespace

void add_ids_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status) {
  auto arguments = std::make_shared<IdsArguments>();
  arguments->request.options = agent::options_of_mode<agent::IdOptions>();
  CLI::App* command =
      app.add_subcommand("ids", "Give contexts ids; count events and marked methods by context");
  add_agent_options(
      *command, arguments->request.options,
      {"out", "mark", "measure", "encoder", "graph", "selective", "event-file", "include",
       "exclude", "jdk", "memory", "max-contexts", "snapshot", "keep-stack-size"});
  add_fail_if_empty(*command, arguments->fail_if_empty);
  add_quiet(*command, arguments->request.quiet);
  command->callback([arguments, &program, &exit_status] {
    arguments->request.command = program;
    exit_status = keep_ids(*arguments);
  });
}

}  // namespace copse::cli
