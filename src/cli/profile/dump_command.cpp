#include <CLI/CLI.hpp>
#include <memory>

#include "agent/output_path.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/profile/live_jvm.h"
#include "cli/profile/running_jvms.h"
#include "cli/program_options.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

struct DumpArguments {
  std::string jvm;
  std::string output = "copse-%c-%p-%t.json";
  bool quiet = false;
};

int dump(const DumpArguments& arguments) {
  if (const Status status = report::check_report_ending(arguments.output); !status) {
    return failure(status);
  }
  const Result<std::int64_t> pid = pid_of(arguments.jvm);
  if (!pid.ok()) return failure(pid);
  auto command = agent::options_of_mode<agent::DumpCommand>();
  command.out = agent::absolute_pattern(arguments.output);
  const Result<std::vector<agent::Note>> notes =
      tell_agent(*pid, AgentIs::kThereAlready, std::move(command));
  if (!notes.ok()) return failure(notes);
  if (!arguments.quiet) say_what_was_written(*notes);
  return 0;
}

}  // namespace

void add_dump_command(CLI::App& app, int& exit_status) {
  auto arguments = std::make_shared<DumpArguments>();
  CLI::App* command = app.add_subcommand(
      "dump", "Write report and id file of a recorded JVM so far; recording goes on");
  add_jvm_argument(*command, arguments->jvm)->required();
  command
      ->add_option(
          "-o,--output", arguments->output,
          "Report to write. The ending decides the format; %c is the main class or jar, %p the "
          "process id, %t the time")
      ->type_name("FILE")
      ->capture_default_str();
  command->add_flag("-q,--quiet", arguments->quiet, "Print nothing but errors");
  command->callback([arguments, &exit_status] { exit_status = dump(*arguments); });
}

}  // namespace copse::cli
