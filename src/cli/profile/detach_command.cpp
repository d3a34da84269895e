#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/profile/live_jvm.h"
#include "cli/profile/running_jvms.h"
#include "cli/program_options.h"

namespace copse::cli {
namespace {

struct DetachArguments {
  std::string jvm;
  bool fail_if_empty = false;
  bool quiet = false;
};

int detach(const DetachArguments& arguments) {
  const Result<std::int64_t> pid = pid_of(arguments.jvm);
  if (!pid.ok()) return failure(pid);
  return end_recording(*pid, arguments.fail_if_empty, arguments.quiet);
}

}  // namespace

void add_detach_command(CLI::App& app, int& exit_status) {
  auto arguments = std::make_shared<DetachArguments>();
  CLI::App* command = app.add_subcommand(
      "detach", "End the recording of a JVM and write its report; the JVM goes on");
  add_jvm_argument(*command, arguments->jvm)->required();
  add_fail_if_empty(*command, arguments->fail_if_empty);
  command->add_flag("-q,--quiet", arguments->quiet, "Print nothing but errors");
  command->callback([arguments, &exit_status] { exit_status = detach(*arguments); });
}

}  // namespace copse::cli
