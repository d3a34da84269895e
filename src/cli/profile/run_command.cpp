#include <CLI/CLI.hpp>
#include <memory>

#include "agent/option_rules.h"
#include "agent/output_path.h"
#include "cli/commands.h"
#include "cli/file_kind.h"
#include "cli/messages.h"
#include "cli/profile/repeated_run.h"
#include "cli/profile/run_program.h"
#include "cli/program_options.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

struct RunArguments {
  RunRequest request;
  bool fail_if_empty = false;
  std::uint64_t runs = 1;
};

Status check_runs(std::uint64_t runs, const agent::AgentOptions& options) {
  if (runs == 0) return Status::error("--runs 0: a command runs once at least");
  if (runs == 1) return {};
  for (const std::string_view key : {"encoder", "snapshot"}) {
    if (!agent::is_set(options, key)) continue;
    return Status::error(agent::spelled(key, agent::Spelling::kCommandLine) +
                         ": not with --runs, which makes one report of the calls of whole runs");
  }
  return {};
}

Status check_files(const agent::AgentOptions& options) {
  if (Status status = agent::check_run_files(options.out, agent::ids_decode(options.encoder),
                                             options.event_file, options.graph);
      !status) {
    return status;
  }
  if (Status status = report::check_report_ending(options.out); !status) return status;
  return report::check_other_ending(options.event_file, "an event file", ".events");
}

int run(RunArguments& arguments) {
  if (arguments.request.command.empty()) {
    return usage_error("run: no command after --; write copse run [options] -- COMMAND [ARG...]");
  }
  agent::AgentOptions& options = arguments.request.options;
  if (const Status status = check_agent_options(options); !status) {
    return usage_error(status.message());
  }
  if (const Status status = check_files(options); !status) return usage_error(status.message());
  if (const Status status = check_call_graph_kind(options.graph); !status) {
    return failure(status.message());
  }
  if (const Status status = check_runs(arguments.runs, options); !status) {
    return usage_error(status.message());
  }
  return exit_status_of(arguments.runs > 1 ? run_repeatedly(arguments.request, arguments.runs)
                                           : run_program(std::move(arguments.request)),
                        arguments.fail_if_empty);
}

}  // namespace

void add_run_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status) {
  auto arguments = std::make_shared<RunArguments>();
  agent::AgentOptions& options = arguments->request.options;
  CLI::App* command =
      app.add_subcommand("run", "Profile a program: every calling context with its exact count");
  add_agent_options(*command, options, {"out"});
  add_recording_options(*command, options);
  add_agent_options(*command, options, {"measure", "cpu-interval", "by-thread"});
  add_tree_options(*command, options);
  add_agent_options(*command, options,
                    {"encoder", "graph", "event", "event-file", "mark", "selective", "snapshot",
                     "keep-stack-size"});
  command
      ->add_option("--runs", arguments->runs,
                   "Run the command N times, and keep what each context had least and most")
      ->type_name("N")
      ->check(whole_number());
  add_fail_if_empty(*command, arguments->fail_if_empty);
  command->add_flag("-q,--quiet", arguments->request.quiet, "Print nothing of Copse's own");
  command->callback([arguments, &program, &exit_status] {
    arguments->request.command = program;
    exit_status = run(*arguments);
  });
}

}  // namespace copse::cli
