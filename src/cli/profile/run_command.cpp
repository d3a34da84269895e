// copse run [options] -- COMMAND: every calling context with its calls, and what is measured besides.
#include <CLI/CLI.hpp>
#include <memory>

#include "agent/output_path.h"
#include "cli/commands.h"
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

Status check(const RunArguments& arguments) {
  const agent::AgentOptions& options = arguments.request.options;
  if (arguments.request.command.empty()) {
    return Status::error(Fault::kUsage,
                         "run: no command after --; write copse run [options] -- COMMAND [ARG...]");
  }
  if (Status status = check_agent_options(options); !status) return status;
  if (Status status = report::check_report_ending(options.out); !status) return status;
  if (arguments.runs == 0)
    return Status::error(Fault::kUsage, "--runs 0: a command runs once at least");
  if (arguments.runs > 1 && options.snapshot_ms != 0) {
    return Status::error(Fault::kUsage,
                         "--snapshot: not with --runs, which makes one report of whole runs");
  }
  return {};
}

int run(RunArguments& arguments) {
  if (const Status status = check(arguments); !status) return failure(status);
  return exit_status_of(arguments.runs > 1 ? run_repeatedly(arguments.request, arguments.runs)
                                           : run_program(std::move(arguments.request)),
                        arguments.fail_if_empty);
}

}  // namespace

void add_run_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command =
      app.add_subcommand("run", "Profile a program: every calling context with its exact count");
  add_agent_options(
      *command, arguments->request.options,
      {"out", "measure", "include", "exclude", "jdk", "by-thread", "slice", "keep-slices",
       "no-sites", "recursion", "memory", "max-contexts", "engine", "snapshot", "keep-stack-size"});
  command
      ->add_option("--runs", arguments->runs,
                   "Run the command N times; keep the least and the most of each context")
      ->type_name("N")
      ->check(whole_number());
  add_fail_if_empty(*command, arguments->fail_if_empty);
  add_quiet(*command, arguments->request.quiet);
  command->footer(
      "cpu: CPU time by samples (cpu:interval=1ms takes more of them),\n"
      "=corrected without probes, =native in native code. wall: time by threads'\n"
      "states. alloc: sampled allocations, =exact all of them. locks: waits and time\n"
      "parked.");
  command->callback([arguments, &program, &exit_status] {
    arguments->request.command = program;
    exit_status = run(*arguments);
  });
}

}  // namespace copse::cli
