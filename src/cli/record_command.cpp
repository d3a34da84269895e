// copse record [options] -o TRACE -- COMMAND: run, but every call is kept instead of being folded.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/program_options.h"
#include "cli/run_program.h"
#include "report/report_file.h"

namespace copse {
namespace {

int record(RunRequest& request) {
  if (request.command.empty()) {
    return usage_error(
        "record: no command after --; write copse record [options] -- COMMAND [ARG...]");
  }
  if (const Status status = check_agent_options(request.options); !status) {
    return usage_error(status.message());
  }
  if (const Status status = check_other_ending(request.options.record, "a trace", ".trace");
      !status) {
    return usage_error(status.message());
  }
  const Result<RunEnd> ended = run_program(std::move(request));
  return ended.ok() ? ended->command.exit_status : failure(ended.message());
}

}  // namespace

void add_record_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status) {
  auto request = std::make_shared<RunRequest>();
  request->options.record = "copse-%c-%p.trace";
  CLI::App* command =
      app.add_subcommand("record", "Keep every call of a program in a trace, for copse replay");
  command
      ->add_option("-o,--output", request->options.record,
                   "Trace to write; %c is the main class or jar, %p the process id, %t the start "
                   "time")
      ->type_name("FILE")
      ->capture_default_str();
  add_recording_options(*command, request->options);
  command->add_flag("-q,--quiet", request->quiet, "Print nothing of our own");
  command->callback([request, &program, &exit_status] {
    request->command = program;
    exit_status = record(*request);
  });
}

}  // namespace copse
