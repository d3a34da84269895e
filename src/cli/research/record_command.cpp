// copse record [options] -o TRACE -- COMMAND: run, but every call is kept in a trace.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

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
  bool fail_if_empty = false;
};

// What no name of a class or method has: written so, a glob of values would match nothing.
Status check_value_globs(const std::vector<std::string>& globs) {
  for (const std::string& glob : globs) {
    const std::size_t wrong = glob.find_first_of("[];/");
    const bool is_call = glob.ends_with("()");
    if (glob.empty() || wrong != std::string::npos || is_call) {
      return Status::error("--values " + shell_word(glob) +
                           ": is no glob of names such as shop.** or shop.DB.find" +
                           (is_call ? "; methods stand without ()"
                            : wrong != std::string::npos
                                ? "; no name has a " + std::string(1, glob[wrong]) +
                                      (glob[wrong] == '/' ? ", packages have a . between them" : "")
                                : ""));
    }
  }
  return {};
}

int record(RecordArguments& arguments) {
  RunRequest& request = arguments.request;
  if (request.command.empty()) {
    return usage_error(
        "record: no command after --; write copse record [options] -- COMMAND [ARG...]");
  }
  const bool of_values = agent::records_values(request.options);
  std::string& file = request.options.record;
  if (file.empty()) file = of_values ? "copse-%c-%p.values" : "copse-%c-%p.trace";
  if (const Status status = check_value_globs(request.options.values); !status) {
    return usage_error(status.message());
  }
  if (const Status status = check_agent_options(request.options); !status) {
    return usage_error(status.message());
  }
  if (const Status status =
          of_values ? report::check_other_ending(file, "a recording of values", ".values")
                    : report::check_other_ending(file, "a trace", ".trace");
      !status) {
    return usage_error(status.message());
  }
  return exit_status_of(run_program(std::move(request)), arguments.fail_if_empty);
}

}  // namespace

void add_record_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status) {
  auto arguments = std::make_shared<RecordArguments>();
  RunRequest& request = arguments->request;
  CLI::App* command =
      app.add_subcommand("record", "Keep every call of a program in a trace, for copse replay");
  command
      ->add_option("-o,--output", request.options.record,
                   "Trace to write; %c is the main class or jar, %p the process id, %t the start "
                   "time (copse-%c-%p.trace, or .values)")
      ->type_name("FILE");
  add_recording_options(*command, request.options);
  add_agent_options(*command, request.options, {"values", "keep-stack-size"});
  add_fail_if_empty(*command, arguments->fail_if_empty);
  command->add_flag("-q,--quiet", request.quiet, "Print nothing of Copse's own");
  command->callback([arguments, &program, &exit_status] {
    arguments->request.command = program;
    exit_status = record(*arguments);
  });
}

}  // namespace copse::cli
