#include <CLI/CLI.hpp>
#include <memory>

#include "agent/output_path.h"
#include "cli/commands.h"
#include "cli/file_kind.h"
#include "cli/messages.h"
#include "cli/program_options.h"
#include "cli/run_program.h"
#include "report/report_file.h"

namespace copse {
namespace {

struct RunArguments {
  RunRequest request;
  FoldingWords folding;
  bool fail_if_empty = false;
};

template <std::size_t N>
std::vector<std::string> words_of(const std::array<std::string_view, N>& names) {
  return {names.begin(), names.end()};
}

Status check_files(const AgentOptions& options) {
  if (Status status = check_run_files(options.out, ids_decode(options.encoder), options.event_file,
                                      options.graph);
      !status) {
    return status;
  }
  if (Status status = check_report_ending(options.out); !status) return status;
  return check_other_ending(options.event_file, "an event file", ".events");
}

int run(const CLI::App& command, RunArguments& arguments) {
  if (arguments.request.command.empty()) {
    return usage_error("run: no command after --; write copse run [options] -- COMMAND [ARG...]");
  }
  AgentOptions& options = arguments.request.options;
  if (const Status status = take_folding_words(arguments.folding, options); !status) {
    return usage_error("run: " + status.message());
  }
  take_named_options(command, options);
  if (const Status status = check_agent_options(options); !status) {
    return usage_error(status.message());
  }
  if (const Status status = check_files(options); !status) return usage_error(status.message());
  if (const Status status = check_call_graph_kind(options.graph); !status) {
    return failure(status.message());
  }
  return exit_status_of(run_program(std::move(arguments.request)), arguments.fail_if_empty);
}

}  // namespace

void add_run_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status) {
  auto arguments = std::make_shared<RunArguments>();
  AgentOptions& options = arguments->request.options;
  CLI::App* command =
      app.add_subcommand("run", "Profile a program: every calling context with its exact count");
  command
      ->add_option(
          "-o,--output", options.out,
          "Report to write, in the format that the ending stands for (.html, .json, "
          ".collapsed, .tree, .txt); %c is the main class or jar, %p the process id, %t the "
          "start time")
      ->type_name("FILE")
      ->capture_default_str();
  add_recording_options(*command, options);
  add_folding_options(*command, options, arguments->folding, kEnginesOfRuns);
  command
      ->add_option("--encoder", options.encoder,
                   "Keep a context id in every thread and count nothing but marked methods")
      ->check(CLI::IsMember(words_of(kEncoderNames)))
      ->type_name("NAME");
  command
      ->add_option(
          "--graph", options.graph,
          "With --encoder pcce, deltapath or rcce: the calls that are numbered, a report of an "
          "earlier run or what copse graph wrote")
      ->type_name("FILE");
  command
      ->add_option("--event", options.events,
                   "With --encoder, but not pcc: count these by context (allocation: a sample, "
                   "allocation=exact: all of them); repeatable")
      ->check(CLI::IsMember(words_of(kEventNames)))
      ->type_name("KIND")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--cpu-interval", arguments->folding.cpu_interval,
                   "With --event cpu: time between two looks at the threads, 10ms without it")
      ->type_name("PERIOD");
  command
      ->add_option(
          "--event-file", options.event_file,
          "Append every event to this file as it happens; copse events reads it, also what "
          "a killed program left")
      ->type_name("FILE");
  command
      ->add_option("--mark", options.marks,
                   "With --encoder: count entries of these methods by context; repeatable")
      ->type_name("GLOB")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_snapshot_option(*command, arguments->folding);
  add_stack_option(*command, options);
  add_fail_if_empty(*command, arguments->fail_if_empty);
  command->add_flag("-q,--quiet", arguments->request.quiet, "Print nothing of our own");
  command->callback([command, arguments, &program, &exit_status] {
    arguments->request.command = program;
    exit_status = run(*command, *arguments);
  });
}

}  // namespace copse
