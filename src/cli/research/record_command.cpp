// copse record [options] -o TRACE -- COMMAND: run, but every call is kept in a trace.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "agent/option_rules.h"
#include "agent/option_table.h"
#include "base/shell_word.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/profile/run_program.h"
#include "cli/program_options.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

struct RecordArguments {
  RunRequest request;
  std::string output;               // "" means by the kind of recording
  std::vector<std::string> values;  // globs; none: calls are recorded
  bool fail_if_empty = false;
};

// Rejects characters that no class or method name has: such a glob of values would match nothing.
Status check_value_globs(const std::vector<std::string>& globs) {
  for (const std::string& glob : globs) {
    const std::size_t wrong = glob.find_first_of("[];/");
    const bool is_call = glob.ends_with("()");
    if (glob.empty() || wrong != std::string::npos || is_call) {
      return Status::error(
          Fault::kUsage,
          "--values " + shell_word(glob) + ": is no glob of names such as shop.** or shop.DB.find" +
              (is_call ? "; methods stand without ()"
               : wrong != std::string::npos
                   ? "; no name has a " + std::string(1, glob[wrong]) +
                         (glob[wrong] == '/' ? ", packages have a . between them" : "")
                   : ""));
    }
  }
  return {};
}

// Values have a mode of their own, which knows neither these options nor packets.
Status choose_values(RecordArguments& arguments) {
  if (Status status = check_value_globs(arguments.values); !status) return status;
  for (const std::string_view key : {"include", "exclude", "jdk", "packet"}) {
    if (!agent::is_set(arguments.request.options, key)) continue;
    return Status::error(Fault::kUsage,
                         agent::spelled(key, agent::Spelling::kCommandLine) +
                             ": not with --values, whose globs name everything that is recorded");
  }
  agent::ValueOptions mode;
  mode.values = arguments.values;
  arguments.request.options.mode = std::move(mode);
  return {};
}

Status check(RecordArguments& arguments) {
  if (arguments.request.command.empty()) {
    return Status::error(
        Fault::kUsage,
        "record: no command after --; write copse record [options] -- COMMAND [ARG...]");
  }
  const bool of_values = !arguments.values.empty();
  if (of_values) {
    if (Status status = choose_values(arguments); !status) return status;
  }
  std::string& file = arguments.request.options.out;
  file = arguments.output;
  if (file.empty()) file = of_values ? "copse-%c-%p.values" : "copse-%c-%p.trace";
  if (Status status = check_agent_options(arguments.request.options); !status) return status;
  return of_values ? report::check_other_ending(file, "a recording of values", ".values")
                   : report::check_other_ending(file, "a trace", ".trace");
}

int record(RecordArguments& arguments) {
  if (const Status status = check(arguments); !status) return failure(status);
  return exit_status_of(run_program(std::move(arguments.request)), arguments.fail_if_empty);
}

}  // namespace

void add_record_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status) {
  auto arguments = std::make_shared<RecordArguments>();
  RunRequest& request = arguments->request;
  request.options = agent::options_of_mode<agent::TraceOptions>();
  CLI::App* command =
      app.add_subcommand("record", "Keep every call of a program in a trace, for copse replay");
  command
      ->add_option("-o,--output", arguments->output,
                   "Trace to write; %c is the main class or jar, %p the process id, %t the start "
                   "time (copse-%c-%p.trace, or .values)")
      ->type_name("FILE");
  command->add_option("--values", arguments->values, std::string(agent::option_row("values")->help))
      ->type_name("GLOB")
      ->allow_extra_args(false);
  add_agent_options(*command, request.options,
                    {"include", "exclude", "jdk", "packet", "keep-stack-size"});
  add_fail_if_empty(*command, arguments->fail_if_empty);
  add_quiet(*command, request.quiet);
  command->callback([arguments, &program, &exit_status] {
    arguments->request.command = program;
    exit_status = record(*arguments);
  });
}

}  // namespace copse::cli
